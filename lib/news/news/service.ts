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
  newsRows,
  selectAudienceNames,
  selectKnownLocales,
  selectLocaleCode,
  selectNews,
  selectNewsPage,
  selectTexts,
  storeTexts,
} from './queries'

type Row = NonNullable<Awaited<ReturnType<typeof selectNews>>>
type AudienceChoice = { audience: Audience; audienceId: string | null }

/** Whether the caller may see the objects of this audience. */
const maySee = (ctx: Ctx, audience: Audience) =>
  audience === 'all' || holdsMethod(ctx, `${audienceAreas[audience]}.read`)

/** Returns the audiences that the caller may choose. */
export const audiencesFor = (ctx: Ctx): Audience[] => audiences.filter((audience) => maySee(ctx, audience))

/** Returns the names of audiences by their ids, of those that the caller may see. */
async function namesFor(ctx: Ctx, rows: readonly AudienceChoice[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const audience of Object.keys(audienceAreas) as (keyof typeof audienceAreas)[]) {
    if (!maySee(ctx, audience)) continue
    const ids = rows.flatMap((row) => (row.audience === audience && row.audienceId ? [row.audienceId] : []))
    for (const [id, name] of await selectAudienceNames(db(), audience, ids, ctx.locale)) names.set(id, name)
  }
  return names
}

const rowView = (
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
  return { news: rows.map((row) => rowView(row, names)), meta }
}

/** Returns news with their texts. Needs news.read. Throws 404. */
export async function readNewsItem(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.readNewsItem>) {
  requireMethod(ctx, 'news.read')
  const row = await selectNews(id, ctx.locale)
  if (!row) throw notFound()
  const [names, locales] = await Promise.all([namesFor(ctx, [row]), selectTexts(db(), id)])
  return { ...rowView(row, names), audienceId: row.audienceId, locales }
}

/** Throws 400 for unknown locales. */
async function requireLocales(tx: Transaction, texts: calls.NewsText[]) {
  const knownIds = await selectKnownLocales(
    tx,
    texts.map(({ localeId }) => localeId),
  )
  const faults = texts.flatMap(({ localeId }, index) =>
    knownIds.has(localeId) ? [] : [{ field: `locales.${index}.localeId`, code: 'errorLocale' }],
  )
  if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
}

const audienceExists = async (tx: Transaction, ctx: Ctx, { audience, audienceId }: AudienceChoice) =>
  audience === 'all' ||
  (audienceId !== null && (await selectAudienceNames(tx, audience, [audienceId], ctx.locale)).size > 0)

/** Throws 400 for an audience that doesn't exist or that the caller may not see, without a difference between them. */
async function requireAudience(tx: Transaction, ctx: Ctx, choice: AudienceChoice) {
  if (!maySee(ctx, choice.audience) || !(await audienceExists(tx, ctx, choice)))
    throw fieldError('audienceId', 'errorAudience')
}

type Recorded = AudienceChoice & { status: calls.NewsRow['status']; locales: calls.NewsText[] }

/** Returns the audited fields: the audience's id is in the field of its kind. */
const recordedNews = ({ status, audience, audienceId, locales }: Recorded) => ({
  status,
  audience,
  role: audience === 'role' ? audienceId : null,
  contractor: audience === 'contractor' ? audienceId : null,
  organization: audience === 'organization' ? audienceId : null,
  domain: audience === 'domain' ? audienceId : null,
  locales,
})

/** Returns the locked row with the audited fields, so that a form can show what somebody else saved. */
const versionOf = (row: Awaited<ReturnType<typeof lockNews>>) => row && { ...row, ...recordedNews(row) }

/**
 * Creates news as a draft; returns its id. Needs news.write. Throws 400 for an unknown locale, and for an audience that
 * doesn't exist or that the caller may not see.
 */
export async function createNewsItem(ctx: Ctx, { body }: ServiceInput<typeof calls.createNewsItem>) {
  requireMethod(ctx, 'news.write')
  const { locales, ...audience } = body
  return db().transaction(async (tx) => {
    await requireLocales(tx, locales)
    await requireAudience(tx, ctx, audience)
    const id = await insertNews(tx, { ...audience, createdAt: ctx.now() })
    await storeTexts(tx, id, locales)
    await audit(tx, ctx, newsEntity, id, null, recordedNews({ ...audience, status: 'draft', locales }))
    return { id }
  })
}

const requireDraft = (row: { status: string }) => {
  if (row.status !== 'draft') throw new AppError(409, 'newsPublished')
}

/**
 * Replaces a draft. Needs news.write. Throws 404, 400 as `createNewsItem` for a changed audience, 409 if somebody has
 * saved it since `updatedAt`, and 409 newsPublished.
 */
export async function updateNewsItem(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.updateNewsItem>) {
  requireMethod(ctx, 'news.write')
  const { updatedAt, locales, ...choice } = body
  await db().transaction(async (tx) => {
    const row = await lockNews(tx, id)
    if (row) requireDraft(row)
    const before = await requireVersion(tx, ctx, newsEntity, { id, row: versionOf(row), updatedAt })
    await requireLocales(tx, locales)
    // an unchanged audience stays, even if somebody else chose it and the caller may not see it
    if (before.audience !== choice.audience || before.audienceId !== choice.audienceId)
      await requireAudience(tx, ctx, choice)
    const after = recordedNews({ ...choice, status: 'draft', locales })
    if (!(await audit(tx, ctx, newsEntity, id, recordedNews(before), after))) return
    await newsRows.update(tx, id, choice)
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
    await newsRows.remove(tx, id)
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
 * Returns a preview of news in a language, as people at the caller's domain get it, and the number of people in the
 * audience now. Needs news.read. Throws 404.
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
  const mail = await composeMail('news', locale, values, (await senderOf(ctx.domain))(locale))
  // pages load this module, and the renderer is large
  const { letterHtml } = await import('@/lib/base/mail-and-sms/letter-html')
  return {
    ...text,
    mail: { subject: mail.subject, html: await letterHtml(mail) },
    concerned: await countConcerned({ ...row, ...(await domainsOfPeople()) }),
  }
}

/**
 * Publishes a draft, once: a job notifies the people of the audience (docs/rules/profile.md#news). Needs news.write.
 * Throws 404, 409 if somebody has saved it since `updatedAt`, 409 newsPublished, and 409 newsAudienceGone.
 */
export async function publishNewsItem(
  ctx: Ctx,
  { params: { id }, body: { updatedAt } }: ServiceInput<typeof calls.publishNewsItem>,
) {
  requireMethod(ctx, 'news.write')
  await db().transaction(async (tx) => {
    const row = await lockNews(tx, id)
    if (row) requireDraft(row)
    const before = await requireVersion(tx, ctx, newsEntity, { id, row: versionOf(row), updatedAt })
    if (!(await audienceExists(tx, ctx, before))) throw new AppError(409, 'newsAudienceGone')
    await newsRows.update(tx, id, { status: 'published', publishedAt: ctx.now() })
    await audit(tx, ctx, newsEntity, id, { status: before.status }, { status: 'published' })
    await enqueue(tx, 'news', { id, after: null }, { priority: 'run' })
  })
  return {}
}

/**
 * Withdraws published news: from now on nobody sees or gets them, and a job deletes the notifications. Needs
 * news.write. Throws 404 and 409 newsNotPublished.
 */
export async function withdrawNewsItem(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.withdrawNewsItem>) {
  requireMethod(ctx, 'news.write')
  await db().transaction(async (tx) => {
    const before = requireUnchanged(await lockNews(tx, id))
    if (before.status !== 'published') throw new AppError(409, 'newsNotPublished')
    await newsRows.update(tx, id, { status: 'withdrawn' })
    await audit(tx, ctx, newsEntity, id, { status: before.status }, { status: 'withdrawn' })
    await enqueue(tx, 'news', { id, after: null }, { priority: 'run' })
  })
  return {}
}
