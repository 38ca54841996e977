import { db } from '@/db/client'
import { sendLiveEvent } from '@/lib/base/cache/live-events'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { cardPath, pathOfScreen } from '@/lib/base/navigation/screens'
import { notFound } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import type { NoticeKind } from './kinds'
import { textAmong, textsOfNews } from './news-texts'
import { countNotice, countUnread, markRead, selectLastNotices, selectNoticePage } from './queries'

/** The number of notifications that the bell shows. */
const bellSize = 5

/** The page that each kind links to. */
const screens: Record<NoticeKind, string> = {
  newDevice: 'UserProfileSessions',
  passwordChanged: 'UserProfileSessions',
  sessionsEnded: 'UserProfileSessions',
  invitation: 'UserProfileInvitationsRequests',
  requestDecided: 'UserProfileAccessRequests',
  accessRequested: 'UserProfileAccessRequests',
  roleGiven: 'UserProfileMain',
  roleTaken: 'UserProfileMain',
  accessSwitched: 'UserProfileMain',
  companiesMerged: 'UserProfileCompanies',
  agreementReminder: 'UserProfileMain',
  webhookDisabled: 'PlatformApplications',
  hostsAdded: 'PlatformDomains',
  news: 'Notify',
}

/** Kinds about requests of other people: the page opens at its incoming tab. */
const incoming: readonly NoticeKind[] = ['invitation', 'accessRequested']

function linkOf(kind: NoticeKind, { applicationId, domainId }: Row['values']): string {
  if (kind === 'webhookDisabled' && typeof applicationId === 'string')
    return `${cardPath('PlatformApplication', applicationId)}?tab=webhooks`
  if (kind === 'hostsAdded' && typeof domainId === 'string') return cardPath('PlatformDomain', domainId)
  const path = pathOfScreen(screens[kind]) ?? '/platform/profile'
  return incoming.includes(kind) ? `${path}?tab=incoming` : path
}

type Row = Awaited<ReturnType<typeof selectLastNotices>>[number]

const isKnownKind = (kind: string): kind is NoticeKind => Object.hasOwn(screens, kind)

/**
 * Returns a function for the values of each row's text; null for a row without text, such as news whose locales are all
 * deleted.
 */
async function valuesOf(rows: Row[], locale: string) {
  const newsOf = ({ kind, values }: Row) => (kind === 'news' ? String(values.news) : null)
  const texts = await textsOfNews(rows.flatMap((row) => newsOf(row) ?? []))
  return (row: Row): Row['values'] | null => {
    const news = newsOf(row)
    if (news === null) return row.values
    const text = textAmong(texts.get(news) ?? {}, locale)
    return text ? { title: text.title, text: text.text } : null
  }
}

// a row of a kind that this version doesn't know has no text, so it is left out
async function toNotices(rows: Row[], locale: string) {
  const valuesIn = await valuesOf(rows, locale)
  return rows.flatMap((row) => {
    const { id, kind, date, readAt } = row
    const values = valuesIn(row)
    if (!isKnownKind(kind) || !values) return []
    return [{ id, kind, values, link: linkOf(kind, values), date: date.toISOString(), read: readAt !== null }]
  })
}

/** Returns one page of the signed-in person's notifications, and the number of unread ones. Throws 401. */
export async function listNotices(ctx: Ctx, { query }: ServiceInput<typeof calls.listNotices>) {
  requireUser(ctx)
  const { id, pagination } = ctx.user
  const [{ rows, meta }, unread] = await Promise.all([selectNoticePage(query, pagination, id), countUnread(id)])
  return { notices: await toNotices(rows, ctx.locale), unread, meta }
}

/** Returns the signed-in person's last notifications, and the number of unread ones. Throws 401. */
export async function lastNotices(ctx: Ctx) {
  requireUser(ctx)
  const { id } = ctx.user
  const [rows, unread] = await Promise.all([selectLastNotices(id, bellSize), countUnread(id)])
  return { notices: await toNotices(rows, ctx.locale), unread }
}

/**
 * Marks one notification of the signed-in person as read, or all; sends a live event to their open pages. Throws 401,
 * and 404 for a notification that they don't have.
 */
export async function readNotices(ctx: Ctx, { body: { id } }: ServiceInput<typeof calls.readNotices>) {
  requireUser(ctx)
  const userId = ctx.user.id
  await db().transaction(async (tx) => {
    const marked = await markRead(tx, userId, id, ctx.now())
    if (marked > 0) await sendLiveEvent(tx, 'notices-changed', { userId }, {})
    else if (id !== undefined && (await countNotice(tx, userId, id)) === 0) throw notFound()
  })
  return { unread: await countUnread(userId) }
}
