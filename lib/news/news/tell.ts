import { db, type Transaction } from '@/db/client'
import { sendLiveEvents } from '@/lib/base/cache/live-events'
import { enqueue } from '@/lib/base/jobs/jobs'
import { languageFrom } from '@/lib/base/mail-and-sms/queue'
import { pathOfScreen } from '@/lib/base/navigation/screens'
import { dropCauseFromDigests } from '@/lib/messaging/sender/digests'
import { mailSubscribed, toldOf } from '@/lib/messaging/subscriptions/service'
import { servedDomain } from '@/lib/site/domains/service'
import { textAmong, textsOfNews } from '../notifications/news-texts'
import { takeBackNotices, writeNewsNotices } from '../notifications/write'
import { lockNews, newsRows, selectNextPeople } from './queries'
import { domainsOfPeople } from './service'

/** The number of people that a transaction notifies, or of notifications that it deletes. */
const batchSize = 200

const causeOf = (id: string) => `news-${id}`
type News = NonNullable<Awaited<ReturnType<typeof lockNews>>>

/**
 * Notifies the next people about published news, or deletes some notifications of withdrawn news, and enqueues itself
 * for the rest in the same transaction. So a worker that dies notifies nobody twice and leaves nobody out (ADR 90).
 */
export const notifyOrWithdraw = ({ id, after }: { id: string; after: string | null }): Promise<void> =>
  db().transaction(async (tx) => {
    const news = await lockNews(tx, id)
    if (news?.status === 'withdrawn') await withdrawBatch(tx, id)
    // if an earlier attempt did this batch and couldn't report it, `toldUpTo` is further than the job's `after`
    else if (news?.status === 'published' && news.toldAt === null && news.toldUpTo === after)
      await notifyBatch(tx, news)
  })

async function notifyBatch(tx: Transaction, news: News) {
  const { id, publishedAt, toldUpTo } = news
  const now = new Date()
  const people = await selectNextPeople(tx, { ...news, ...(await domainsOfPeople()) }, toldUpTo, batchSize)
  const lastPerson = people.at(-1)
  const texts = (await textsOfNews([id], tx)).get(id) ?? {}
  const channelsByPerson = await toldOf(
    tx,
    people.map((person) => person.id),
    'news',
  )
  const notified = await writeNewsNotices(tx, {
    newsId: id,
    cause: causeOf(id),
    date: publishedAt ?? now,
    userIds: people.flatMap((person) => (channelsByPerson.get(person.id)?.local ? [person.id] : [])),
  })
  const mailed: string[] = []
  for (const person of people) {
    if (!person.email || !channelsByPerson.get(person.id)?.email) continue
    const domain = await servedDomain(person.domainId)
    const locale = languageFrom(domain, person.lang)
    const text = textAmong(texts, locale)
    if (!text) continue
    const { name, email } = person
    const values = { name, title: text.title, text: text.text, link: `${domain.origin}${pathOfScreen('Notify') ?? ''}` }
    await mailSubscribed(
      tx,
      { domain, now: () => now, bulk: true },
      { subscription: 'news', cause: causeOf(id), userId: person.id, to: email, locale, template: 'news', values },
    )
    mailed.push(person.id)
  }
  const isLastBatch = people.length < batchSize || !lastPerson
  await newsRows.update(tx, id, {
    toldUpTo: lastPerson?.id ?? toldUpTo,
    toldAt: isLastBatch ? now : null,
    reached: news.reached + new Set([...notified, ...mailed]).size,
    mailed: news.mailed + mailed.length,
  })
  await sendLiveEvents(tx, 'notices-changed', notified, {})
  if (!isLastBatch) await enqueue(tx, 'news', { id, after: lastPerson.id }, { priority: 'run' })
}

async function withdrawBatch(tx: Transaction, id: string) {
  const notified = await takeBackNotices(tx, causeOf(id), batchSize)
  const dropped = await dropCauseFromDigests(tx, causeOf(id), batchSize)
  await sendLiveEvents(tx, 'notices-changed', notified, {})
  if (notified.length === batchSize || dropped === batchSize)
    await enqueue(tx, 'news', { id, after: null }, { priority: 'run' })
}
