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
import { lockNews, selectNextPeople, setNews } from './queries'
import { domainsOfPeople } from './service'

/** How many people a transaction tells, or takes a notice from. */
const together = 200

const causeOf = (id: string) => `news-${id}`
type News = NonNullable<Awaited<ReturnType<typeof lockNews>>>

/**
 * Tells the next people of published news, or takes withdrawn ones back from some, and queues itself for the rest in
 * the same transaction. So a worker that dies tells nobody twice and leaves nobody out (ADR 90).
 */
export const workOnNews = ({ id, after }: { id: string; after: string | null }): Promise<void> =>
  db().transaction(async (tx) => {
    const news = await lockNews(tx, id)
    if (news?.status === 'withdrawn') await takeBack(tx, id)
    // a job that ran before, in a worker that couldn't say so, finds the people of its batch told
    else if (news?.status === 'published' && news.toldAt === null && news.toldUpTo === after) await tell(tx, news)
  })

async function tell(tx: Transaction, news: News) {
  const { id, publishedAt, toldUpTo } = news
  const now = new Date()
  const people = await selectNextPeople(tx, { ...news, ...(await domainsOfPeople()) }, toldUpTo, together)
  const last = people.at(-1)
  const texts = (await textsOfNews([id], tx)).get(id) ?? {}
  const told = await toldOf(
    tx,
    people.map((person) => person.id),
    'news',
  )
  const noticed = await writeNewsNotices(tx, {
    newsId: id,
    cause: causeOf(id),
    date: publishedAt ?? now,
    userIds: people.flatMap((person) => (told.get(person.id)?.local ? [person.id] : [])),
  })
  const mailed: string[] = []
  for (const person of people) {
    if (!person.email || !told.get(person.id)?.email) continue
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
  const over = people.length < together || !last
  await setNews(tx, id, {
    toldUpTo: last?.id ?? toldUpTo,
    toldAt: over ? now : null,
    reached: news.reached + new Set([...noticed, ...mailed]).size,
    mailed: news.mailed + mailed.length,
  })
  await sendLiveEvents(tx, 'notices-changed', noticed, {})
  if (!over) await enqueue(tx, 'news', { id, after: last.id }, { priority: 'run' })
}

async function takeBack(tx: Transaction, id: string) {
  const noticed = await takeBackNotices(tx, causeOf(id), together)
  const waited = await dropCauseFromDigests(tx, causeOf(id), together)
  await sendLiveEvents(tx, 'notices-changed', noticed, {})
  if (noticed.length === together || waited === together)
    await enqueue(tx, 'news', { id, after: null }, { priority: 'run' })
}
