import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { news } from '@/db/schema'
import * as calls from '@/lib/news/news/contract'
import type { Caller } from '../../factories/caller'
import { draftOf, newsTexts, publishedNews } from '../../factories/news'
import { proof } from '../../factories/proofs'

type Draft = Awaited<ReturnType<typeof draftOf>>

const newsLike = async (caller: Caller, search: string) =>
  (await caller.call(calls.listNews, { query: { filter: { search } } })).news
const look = (caller: Caller, { title }: Draft) => newsLike(caller, title)
const draft = (caller: Caller) => draftOf(caller)
const published = (caller: Caller) => publishedNews(caller)
const byId = ({ id }: Draft) => ({ params: { id } })
const publishing = ({ id, updatedAt }: Draft) => ({ params: { id }, body: { updatedAt } })

const body = async () => ({ audience: 'all' as const, audienceId: null, locales: await newsTexts(randomUUID()) })
const errorLocale = {
  field: 'locales.0.localeId',
  input: async (caller: Caller) => {
    const { id, body: sent } = await draftOf(caller)
    return { params: { id }, body: { ...sent, locales: [{ localeId: randomUUID(), title: 'x', text: 'x' }] } }
  },
}
const errorAudience = {
  field: 'audienceId',
  input: async (caller: Caller) => {
    const { id, body: sent } = await draftOf(caller)
    return { params: { id }, body: { ...sent, audience: 'role', audienceId: randomUUID() } }
  },
}
const withoutParams = ({ input, ...rest }: typeof errorLocale) => ({
  ...rest,
  input: async (caller: Caller) => ({ body: (await input(caller)).body }),
})
const alreadyPublished = { input: async (caller: Caller) => byId(await publishedNews(caller)) }

export default [
  proof(calls.listNews, {
    prepare: draft,
    input: ({ title }) => ({ query: { filter: { search: title } } }),
    shows: ({ id, title }) => ({
      news: [{ id, title, status: 'draft', audience: 'all', languages: ['ru'], telling: false, reached: 0, mailed: 0 }],
    }),
  }),
  proof(calls.readNewsItem, { prepare: draft, input: byId, shows: ({ id, body: sent }) => ({ id, ...sent }) }),
  proof(calls.previewNewsItem, {
    prepare: draft,
    input: ({ id }) => ({ params: { id }, query: {} }),
    shows: ({ title }) => ({ locale: 'ru', title, text: 'Что изменилось' }),
  }),
  proof(calls.createNewsItem, {
    makes: ['create news'],
    prepare: body,
    input: (sent) => ({ body: sent }),
    look: (caller, sent) => newsLike(caller, sent.locales[0]?.title ?? ''),
    shows: () => [{ status: 'draft', audience: 'all' }],
    errors: { errorLocale: withoutParams(errorLocale), errorAudience: withoutParams(errorAudience as never) },
  }),
  proof(calls.updateNewsItem, {
    makes: ['update news'],
    prepare: async (caller) => ({
      ...(await draftOf(caller)),
      after: await newsTexts('После', 'Другой текст', 'After'),
    }),
    input: ({ id, body: sent, after }) => ({ params: { id }, body: { ...sent, locales: after } }),
    look: (caller, { id }) => caller.call(calls.readNewsItem, { params: { id } }),
    shows: ({ id, after }) => ({ id, locales: after, languages: ['ru', 'en'] }),
    errors: {
      errorLocale,
      errorAudience,
      newsPublished: {
        input: async (caller) => {
          const { id, body: sent } = await publishedNews(caller)
          return { params: { id }, body: sent }
        },
      },
    },
  }),
  proof(calls.deleteNewsItem, {
    makes: ['delete news'],
    prepare: draft,
    input: byId,
    look,
    shows: () => [],
    errors: { newsPublished: alreadyPublished },
  }),
  proof(calls.publishNewsItem, {
    makes: ['update news'],
    prepare: draft,
    input: publishing,
    look,
    shows: ({ id }) => [{ id, status: 'published' }],
    errors: {
      newsPublished: { input: async (caller) => publishing(await publishedNews(caller)) },
      newsAudienceGone: {
        input: async (caller) => {
          const made = await draftOf(caller)
          // the role was deleted meanwhile
          await db().update(news).set({ audience: 'role', audienceId: randomUUID() }).where(eq(news.id, made.id))
          const { updatedAt } = await caller.call(calls.readNewsItem, { params: { id: made.id } })
          return publishing({ ...made, updatedAt })
        },
      },
    },
  }),
  proof(calls.withdrawNewsItem, {
    makes: ['update news'],
    prepare: published,
    input: ({ id }) => ({ params: { id }, body: {} }),
    look,
    shows: ({ id }) => [{ id, status: 'withdrawn' }],
    errors: {
      newsNotPublished: { input: async (caller) => ({ params: { id: (await draftOf(caller)).id }, body: {} }) },
    },
  }),
]
