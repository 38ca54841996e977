import { randomUUID } from 'node:crypto'
import * as calls from '@/lib/profile/news/contract'
import type { Audience } from '@/lib/profile/news/kinds'
import type { Caller } from './caller'
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
