import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import { db } from '@/db/client'
import { digestItems, messages, notices, users } from '@/db/schema'
import type { StoredChoices } from '@/lib/messaging/subscription-kinds'
import * as calls from '@/lib/news/news/contract'
import type { Audience } from '@/lib/news/news/kinds'
import { signedInWith } from './access'
import { Caller } from './caller'
import { runJobs } from './messages'
import { localeId } from './platform'

/** Texts of news in Russian and, with `en`, in English. */
export const newsTexts = async (title: string, text = 'Что изменилось', en?: string) => [
  { localeId: await localeId('ru'), title, text },
  ...(en ? [{ localeId: await localeId('en'), title: en, text: `${en} text` }] : []),
]

type Wishes = { title?: string; text?: string; en?: string; audience?: Audience; audienceId?: string | null }

/** Writes a draft. Returns its id, its body and its version. */
export async function draftOf(caller: Caller, { title, text, en, audience, audienceId }: Wishes = {}) {
  const locales = await newsTexts(title ?? `Новость ${randomUUID()}`, text, en)
  const body = { audience: audience ?? ('all' as const), audienceId: audienceId ?? null, locales }
  const { id } = await caller.call(calls.createNewsItem, { body })
  const { updatedAt } = await caller.call(calls.readNewsItem, { params: { id } })
  return { id, body, updatedAt, title: locales[0]?.title ?? '' }
}

/** Publishes a draft; nobody is told before the jobs run. */
export const publish = (caller: Caller, { id, updatedAt }: { id: string; updatedAt: string }) =>
  caller.send(calls.publishNewsItem, { params: { id }, body: { updatedAt } })

/** Writes news and publishes them. */
export async function publishedNews(caller: Caller, wishes: Wishes = {}) {
  const draft = await draftOf(caller, wishes)
  const { status } = await publish(caller, draft)
  if (status !== 200) throw new Error(`publishing answers ${status}`)
  return draft
}

/** Each test counts its own people alone. */
export const useNewsAlone = () =>
  beforeEach(async () => {
    await runJobs()
    await db().update(users).set({ enabled: false })
    for (const table of [notices, messages, digestItems]) await db().delete(table)
  })

/** Somebody who may write news, and holds these methods besides. */
export const editor = async (...more: string[]) => new Caller((await signedInWith(['news.write', ...more])).browser)
export const subscribed = (period: 'instant' | 'daily' = 'instant'): StoredChoices => ({
  news: { period, channels: { email: true } },
})
export const noticesOf = (userId: string) => db().select().from(notices).where(eq(notices.userId, userId))
export const newsItemOf = (caller: Caller, id: string) => caller.call(calls.readNewsItem, { params: { id } })
