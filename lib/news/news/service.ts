import { db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { holdsMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { enqueue } from '@/lib/base/jobs/jobs'
import { composeMail } from '@/lib/base/mail-and-sms/compose-mail'
import { pathOfScreen } from '@/lib/base/navigation/screens'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { senderOf } from '@/lib/messaging/sender/service'
import { servedDomains } from '@/lib/site/domains/service'
import { textAmong, textsOfNews } from '../notifications/news-texts'
import type * as calls from './contract'
import { newsEntity } from './entity'
import { type Audience, audienceAreas, audiences } from './kinds'
import {
  countConcerned,
  insertNews,
  lockNews,
  removeNews,
  selectAudienceNames,
  selectKnownLocales,
  selectLocaleCode,
  selectNews,
  selectNewsPage,
  selectTexts,
  setNews,
  storeTexts,
} from './queries'

type Row = NonNullable<Awaited<ReturnType<typeof selectNews>>>
type Chosen = { audience: Audience; audienceId: string | null }

/** Whether somebody may see the objects of which an audience is one. */
const maySee = (ctx: Ctx, audience: Audience) =>
  audience === 'all' || holdsMethod(ctx, `${audienceAreas[audience]}.read`)

/** Returns the audiences that somebody may choose. */
export const audiencesFor = (ctx: Ctx): Audience[] => audiences.filter((audience) => maySee(ctx, audience))

/** Returns the names of audiences by their ids, of those that the caller may see. */
async function namesFor(ctx: Ctx, rows: readonly Chosen[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const audience of Object.keys(audienceAreas) as (keyof typeof audienceAreas)[]) {
    if (!maySee(ctx, audience)) continue
    const ids = rows.flatMap((row) => (row.audience === audience && row.audienceId ? [row.audienceId] : []))
    for (const [id, name] of await selectAudienceNames(db(), audience, ids, ctx.locale)) names.set(id, name)
  }
  return names
}

const shown = (
  { audienceId, toldAt, publishedAt, date, updatedAt, ...row }: Row,
  names: ReadonlyMap<string, string>,
): calls.NewsRow => ({
  ...row,
  audienceName: (audienceId && names.get(audienceId)) || null,
  telling: row.status === 'published' && toldAt === null,
  publishedAt: publishedAt?.toISOString() ?? null,
  date: date.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

/** Returns one page of news. Needs news.read. */
export async function listNews(ctx: Ctx, { query }: ServiceInput<typeof calls.listNews>) {
  requireMethod(ctx, 'news.read')
  const { rows, meta } = await selectNewsPage(query, ctx.user?.pagination ?? null, ctx.locale)
  const names = await namesFor(ctx, rows)
  return { news: rows.map((row) => shown(row, names)), meta }
}

/** Returns news with their texts. Needs news.read. Throws 404. */
export async function readNewsItem(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readNewsItem>) {
  requireMethod(ctx, 'news.read')
  const row = await selectNews(id, ctx.locale)
  if (!row) throw notFound()
  const [names, locales] = await Promise.all([namesFor(ctx, [row]), selectTexts(db(), id)])
  return { ...shown(row, names), audienceId: row.audienceId, locales }
}

/** Refuses languages that the platform doesn't have. */
async function requireLocales(tx: Transaction, texts: calls.NewsText[]) {
  const known = await selectKnownLocales(
    tx,
    texts.map(({ localeId }) => localeId),
  )
  const wrong = texts.flatMap(({ localeId }, at) =>
    known.has(localeId) ? [] : [{ field: `locales.${at}.localeId`, code: 'errorLocale' }],
  )
  if (wrong.length > 0) throw new AppError(400, undefined, { errorList: wrong })
}

const exists = async (tx: Transaction, ctx: Ctx, { audience, audienceId }: Chosen) =>
  audience === 'all' ||
  (audienceId !== null && (await selectAudienceNames(tx, audience, [audienceId], ctx.locale)).size > 0)

/** Refuses an audience that the caller may not see as one that there isn't: its id tells nobody anything. */
async function requireAudience(tx: Transaction, ctx: Ctx, chosen: Chosen) {
  if (!maySee(ctx, chosen.audience) || !(await exists(tx, ctx, chosen))) throw fieldError('audienceId', 'errorAudience')
}

type Recorded = Chosen & { status: calls.NewsRow['status']; locales: calls.NewsText[] }

/** What the history keeps: the audience by what it is. */
const recordedNews = ({ status, audience, audienceId, locales }: Recorded) => ({
  status,
  audience,
  role: audience === 'role' ? audienceId : null,
  contractor: audience === 'contractor' ? audienceId : null,
  organization: audience === 'organization' ? audienceId : null,
  domain: audience === 'domain' ? audienceId : null,
  locales,
})

/** The locked row as the history names its fields, so that a form can show what somebody else saved. */
const versionOf = (row: Awaited<ReturnType<typeof lockNews>>) => row && { ...row, ...recordedNews(row) }

/**
 * Writes news as a draft; returns their id. Needs news.write. Throws 400 for an unknown language, and for an audience
 * that there isn't or that the caller may not see.
 */
export async function createNewsItem(ctx: Ctx, { body }: ServiceInput<typeof calls.createNewsItem>) {
  requireMethod(ctx, 'news.write')
  const { locales, ...chosen } = body
  return db().transaction(async (tx) => {
    await requireLocales(tx, locales)
    await requireAudience(tx, ctx, chosen)
    const id = await insertNews(tx, { ...chosen, createdAt: ctx.now() })
    await storeTexts(tx, id, locales)
    await audit(tx, ctx, newsEntity, id, null, recordedNews({ ...chosen, status: 'draft', locales }))
    return { id }
  })
}

const requireDraft = (row: { status: string }) => {
  if (row.status !== 'draft') throw new AppError(409, 'newsPublished')
}

/**
 * Replaces a draft. Needs news.write. Throws 404, 400 as `createNewsItem` does for another audience than before, 409 if
 * somebody has saved it since `updatedAt`, and 409 newsPublished.
 */
export async function updateNewsItem(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.updateNewsItem>) {
  requireMethod(ctx, 'news.write')
  const { updatedAt, locales, ...chosen } = body
  await db().transaction(async (tx) => {
    const row = await lockNews(tx, id)
    if (row) requireDraft(row)
    const before = await requireVersion(tx, ctx, newsEntity, { read: 'news.read', id, row: versionOf(row), updatedAt })
    await requireLocales(tx, locales)
    // whoever mends a word keeps the audience that somebody else chose
    if (before.audience !== chosen.audience || before.audienceId !== chosen.audienceId)
      await requireAudience(tx, ctx, chosen)
    const after = recordedNews({ ...chosen, status: 'draft', locales })
    if (!(await audit(tx, ctx, newsEntity, id, recordedNews(before), after))) return
    await setNews(tx, id, chosen)
    await storeTexts(tx, id, locales)
  })
  return {}
}

/** Deletes a draft. Needs news.write. Throws 404 and 409 newsPublished. */
export async function deleteNewsItem(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteNewsItem>) {
  requireMethod(ctx, 'news.write')
  await db().transaction(async (tx) => {
    const before = requireUnchanged(await lockNews(tx, id))
    requireDraft(before)
    await removeNews(tx, id)
    await audit(tx, ctx, newsEntity, id, recordedNews(before), null)
  })
  return {}
}

/** Returns the domains at which people sign in, for an audience. */
export async function domainsOfPeople() {
  const domains = await servedDomains()
  return { served: domains.map(({ id }) => id), base: domains[0]?.id ?? '' }
}

/**
 * Returns news as people get them in a language, from the caller's domain, and how many they concern now. Needs
 * news.read. Throws 404.
 */
export async function previewNewsItem(
  ctx: Ctx,
  { params: { id }, query: { localeId } }: ServiceInput<typeof calls.previewNewsItem>,
): Promise<calls.NewsPreview> {
  requireMethod(ctx, 'news.read')
  const [row, code] = await Promise.all([
    selectNews(id, ctx.locale),
    localeId === undefined ? ctx.locale : selectLocaleCode(localeId),
  ])
  const text = row && code !== undefined && textAmong((await textsOfNews([id])).get(id) ?? {}, code)
  if (!text) throw notFound()
  const locale = ctx.domain.locales.includes(code) ? code : ctx.locale
  const link = `${ctx.domain.origin}${pathOfScreen('Notify') ?? ''}`
  const values = { name: ctx.user?.firstName ?? '', title: text.title, text: text.text, link }
  const letter = await composeMail('news', locale, values, (await senderOf(ctx.domain))(locale))
  // pages load this module, and the renderer is large
  const { letterHtml } = await import('@/lib/base/mail-and-sms/letter-html')
  return {
    ...text,
    mail: { subject: letter.subject, html: await letterHtml(letter) },
    concerned: await countConcerned({ ...row, ...(await domainsOfPeople()) }),
  }
}

/**
 * Publishes a draft, once: a job tells whom it concerns (docs/rules/profile.md#news). Needs news.write. Throws 404, 409
 * if somebody has saved it since `updatedAt`, 409 newsPublished, and 409 newsAudienceGone.
 */
export async function publishNewsItem(
  ctx: Ctx,
  { params: { id }, body: { updatedAt } }: ServiceInput<typeof calls.publishNewsItem>,
) {
  requireMethod(ctx, 'news.write')
  await db().transaction(async (tx) => {
    const row = await lockNews(tx, id)
    if (row) requireDraft(row)
    const before = await requireVersion(tx, ctx, newsEntity, { read: 'news.read', id, row: versionOf(row), updatedAt })
    if (!(await exists(tx, ctx, before))) throw new AppError(409, 'newsAudienceGone')
    await setNews(tx, id, { status: 'published', publishedAt: ctx.now() })
    await audit(tx, ctx, newsEntity, id, { status: before.status }, { status: 'published' })
    await enqueue(tx, 'news', { id, after: null }, { priority: 'run' })
  })
  return {}
}

/**
 * Takes published news back: nobody sees or gets them from now on, and a job deletes the notices. Needs news.write.
 * Throws 404 and 409 newsNotPublished.
 */
export async function withdrawNewsItem(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.withdrawNewsItem>) {
  requireMethod(ctx, 'news.write')
  await db().transaction(async (tx) => {
    const before = requireUnchanged(await lockNews(tx, id))
    if (before.status !== 'published') throw new AppError(409, 'newsNotPublished')
    await setNews(tx, id, { status: 'withdrawn' })
    await audit(tx, ctx, newsEntity, id, { status: before.status }, { status: 'withdrawn' })
    await enqueue(tx, 'news', { id, after: null }, { priority: 'run' })
  })
  return {}
}
