import { z } from 'zod'
import { contract, Done, Id, line, lines, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'
import { audiences, newsStatuses } from './kinds'

const NewsText = z.strictObject({
  localeId: Id,
  title: requiredLine(200),
  text: lines(4000).min(1, 'errorEmpty'),
})
export type NewsText = z.output<typeof NewsText>

const NewsInput = z.strictObject({
  audience: z.enum(audiences, 'errorFormat'),
  /** The role, contractor, organization or domain; null for everybody. */
  audienceId: Id.nullable().default(null),
  locales: z
    .array(NewsText)
    .min(1, 'errorEmpty')
    .max(50, 'errorTooMany')
    .superRefine((texts, check) => {
      for (const [at, { localeId }] of texts.entries())
        if (texts.findIndex((other) => other.localeId === localeId) < at)
          check.addIssue({ code: 'custom', message: 'errorDuplicateLocale', path: [at, 'localeId'] })
    }),
})

type Whom = { audience: string; audienceId: string | null }
const isNamed = ({ audience, audienceId }: Whom) => audience === 'all' || audienceId !== null
const hasNoSurplus = ({ audience, audienceId }: Whom) => audience !== 'all' || audienceId === null
const missing = { path: ['audienceId'], message: 'errorEmpty' }
const surplus = { path: ['audienceId'], message: 'errorFormat' }

const count = z.number().int()

const NewsRow = z.strictObject({
  id: Id,
  status: z.enum(newsStatuses),
  /** In the reader's language, else in the default one. */
  title: z.string(),
  /** The codes of its languages. */
  languages: z.array(z.string()),
  audience: z.enum(audiences),
  /**
   * The name of the role, contractor, organization or domain; null for everybody, if it is deleted, and if the caller
   * may not read it.
   */
  audienceName: z.string().nullable(),
  /** Whether people are still being notified. */
  telling: z.boolean(),
  /** The number of people who got a notification or a mail, and how many of them got a mail. */
  reached: count,
  mailed: count,
  publishedAt: z.iso.datetime().nullable(),
  date: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type NewsRow = z.output<typeof NewsRow>

export const NewsQuery = listQuery({
  filters: {
    /** A part of a title or a text. */
    search: line(100).optional(),
    status: z.enum(newsStatuses, 'errorFormat').optional(),
    audience: z.enum(audiences, 'errorFormat').optional(),
  },
  sorts: ['title', 'date', 'publishedAt', 'reached'],
  defaultSort: { by: 'date', order: 'desc' },
})

const calls = areaCalls('news', '/setting/news', { one: 'NewsItem', many: 'News', snackbar: 'news' })

export const listNews = calls.list({
  summary: 'News that administrators write, the newest first, with how many people each has reached',
  query: NewsQuery,
  response: z.strictObject({ news: z.array(NewsRow), meta: ListMeta }),
})

export const readNewsItem = calls.read({
  summary: 'News with its texts in every language, and whom it concerns',
  response: NewsRow.extend({ audienceId: Id.nullable(), locales: z.array(NewsText) }),
})
export type NewsItem = z.output<typeof readNewsItem.response>

const errors = { errorLocale: 400, errorAudience: 400 }

export const createNewsItem = calls.create({
  summary: 'Writes news as a draft, which nobody is told of',
  body: NewsInput.refine(isNamed, missing).refine(hasNoSurplus, surplus),
  bodyLimit: 2 * 1024 * 1024,
  errors,
})

export const updateNewsItem = calls.update({
  summary: 'Replaces a draft',
  body: NewsInput.extend(readVersion).refine(isNamed, missing).refine(hasNoSurplus, surplus),
  bodyLimit: 2 * 1024 * 1024,
  errors: { ...errors, newsPublished: 409 },
})

export const deleteNewsItem = calls.remove({ summary: 'Deletes a draft', errors: { newsPublished: 409 } })

const byId = { tag: 'news', access: { area: 'news' }, params: z.strictObject({ id: Id }) } as const

export const previewNewsItem = contract({
  ...byId,
  name: 'previewNewsItem',
  method: 'GET',
  path: '/setting/news/{id}/preview',
  summary: 'News as people get it, as a notification and as a mail, and how many it concerns now',
  query: z.strictObject({ localeId: Id.optional() }),
  response: z.strictObject({
    /** The language in which it is shown; without its own text the default one's stands there. */
    locale: z.string(),
    title: z.string(),
    text: z.string(),
    mail: z.strictObject({ subject: z.string(), html: z.string() }),
    concerned: count,
  }),
  errors: { notFound: 404 },
})
export type NewsPreview = z.output<typeof previewNewsItem.response>

export const publishNewsItem = contract({
  ...byId,
  name: 'publishNewsItem',
  method: 'POST',
  path: '/setting/news/{id}/publish',
  snackbar: 'newsPublish',
  summary: 'Publishes a draft, once: whom it concerns is told from now on',
  body: z.strictObject({
    /** The version that the caller has seen. */
    updatedAt: z.iso.datetime({ error: 'errorFormat' }),
  }),
  response: Done,
  errors: { notFound: 404, conflict: 409, newsPublished: 409, newsAudienceGone: 409 },
})

export const withdrawNewsItem = contract({
  ...byId,
  name: 'withdrawNewsItem',
  method: 'POST',
  path: '/setting/news/{id}/withdraw',
  snackbar: 'newsWithdraw',
  summary: 'Takes published news back: nobody sees or gets it any more; a mail that was sent stays sent',
  body: z.strictObject({}),
  response: Done,
  errors: { notFound: 404, newsNotPublished: 409 },
})
