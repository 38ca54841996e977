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

/** How many notices the bell shows. */
const shownByBell = 5

/** The page to which each kind leads. */
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

/** Kinds that are about what others want: the page opens at its incoming tab. */
const incoming: readonly NoticeKind[] = ['invitation', 'accessRequested']

function linkOf(kind: NoticeKind, { applicationId, domainId }: Row['values']): string {
  if (kind === 'webhookDisabled' && typeof applicationId === 'string')
    return `${cardPath('PlatformApplication', applicationId)}?tab=webhooks`
  if (kind === 'hostsAdded' && typeof domainId === 'string') return cardPath('PlatformDomain', domainId)
  const path = pathOfScreen(screens[kind]) ?? '/platform/profile'
  return incoming.includes(kind) ? `${path}?tab=incoming` : path
}

type Row = Awaited<ReturnType<typeof selectLastNotices>>[number]

const isKnown = (kind: string): kind is NoticeKind => Object.hasOwn(screens, kind)

/** The values of the text of each row; null if it has none, such as news whose languages are all gone. */
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
async function shown(rows: Row[], locale: string) {
  const valuesIn = await valuesOf(rows, locale)
  return rows.flatMap((row) => {
    const { id, kind, date, readAt } = row
    const values = valuesIn(row)
    if (!isKnown(kind) || !values) return []
    return [{ id, kind, values, link: linkOf(kind, values), date: date.toISOString(), read: readAt !== null }]
  })
}

/** Returns one page of the signed-in person's notices, and how many are unread. Throws 401. */
export async function listNotices(ctx: Ctx, { query }: ServiceInput<typeof calls.listNotices>) {
  requireUser(ctx)
  const { id, pagination } = ctx.user
  const [{ rows, meta }, unread] = await Promise.all([selectNoticePage(query, pagination, id), countUnread(id)])
  return { notices: await shown(rows, ctx.locale), unread, meta }
}

/** Returns the signed-in person's last notices, and how many are unread. Throws 401. */
export async function lastNotices(ctx: Ctx) {
  requireUser(ctx)
  const { id } = ctx.user
  const [rows, unread] = await Promise.all([selectLastNotices(id, shownByBell), countUnread(id)])
  return { notices: await shown(rows, ctx.locale), unread }
}

/**
 * Marks one notice of the signed-in person as read, or all; their other pages hear of it. Throws 401, and 404 for a
 * notice that they don't have.
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
