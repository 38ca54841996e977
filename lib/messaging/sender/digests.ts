import { db, type Transaction } from '@/db/client'
import type { Ctx, CtxDomain } from '@/lib/base/context/ctx'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { pathOfScreen } from '@/lib/base/navigation/screens'
import { log } from '@/lib/base/runtime/log'
import { domainByHost } from '@/lib/site/domains/service'
import {
  claimDigest,
  type DigestPeriod,
  deleteCauseItems,
  deleteDigestItem,
  insertDigestItem,
  removeOldDigests,
  selectDigestReceiver,
  selectDigestReceivers,
  takeDigestItems,
} from './queries'
import { ledHome, sendMail } from './service'

type NewItem = {
  userId: string
  period: DigestPeriod
  /** In the receiver's language. */
  title: string
  text?: string
  /** An absolute address. */
  link?: string
  /** What it tells of; the next item of the same cause replaces it. */
  cause?: string
  /** After this it isn't sent any more. */
  expiresAt?: Date
}

/** What the links of items are sealed for: they may let their reader in. */
const sealedFor = 'digest'

/** Stores an item for a person's next digest, in the transaction of its cause. */
export async function addToDigest(tx: Transaction, ctx: Pick<Ctx, 'domain' | 'now'>, { link, ...item }: NewItem) {
  const host = new URL(ctx.domain.origin).host
  await insertDigestItem(tx, {
    ...item,
    link: link ? encrypt('messages', link, sealedFor) : '',
    host,
    date: ctx.now(),
  })
}

/** Removes what waits for a person's digest because of this cause. */
export const dropFromDigest = (tx: Transaction, userId: string, cause: string) => deleteDigestItem(tx, userId, cause)

/** Removes at most so many of those that wait because of this cause, for whomever. Returns how many it removed. */
export const dropCauseFromDigests = (tx: Transaction, cause: string, limit: number) =>
  deleteCauseItems(tx, cause, limit)

const hour = 3_600_000
const day = 24 * hour
/** Moscow has no daylight saving time. */
const moscow = 3 * hour

/** Returns when a period ended last: 9:00 in Moscow, each day or each Monday. */
export function lastDue(period: DigestPeriod, now: Date): Date {
  // on a clock that shows midnight at nine in Moscow
  const shifted = now.getTime() + moscow - 9 * hour
  const midnight = Math.floor(shifted / day) * day
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7
  return new Date(midnight - (period === 'weekly' ? sinceMonday * day : 0) - moscow + 9 * hour)
}

/** Returns when the running period ends, which is when its digest is sent. */
export const nextDue = (period: DigestPeriod, now: Date) =>
  new Date(lastDue(period, now).getTime() + (period === 'weekly' ? 7 : 1) * day)

/** The link of an item, which is one of the domain where it was written, at this domain if there is one. */
const ledTo = (home: CtxDomain | null, link: string) =>
  home ? `${home.origin}${link.slice(new URL(link).origin.length)}` : link

async function sendDigest(userId: string, period: DigestPeriod, dueAt: Date, now: Date) {
  await db().transaction(async (tx) => {
    if (!(await claimDigest(tx, userId, period, dueAt))) return
    const taken = await takeDigestItems(tx, userId, period, dueAt)
    const items = taken.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    const newest = items.at(-1)
    const receiver = await selectDigestReceiver(tx, userId)
    // the items of somebody who can't be written to any more are deleted
    if (!newest || !receiver) return
    const served = await domainByHost(newest.host)
    // whatever the newest one's domain is, an older one may be of another
    const { home } = await ledHome(tx, '', [userId])
    const domain = home ?? served
    const path = pathOfScreen('Notify') ?? pathOfScreen('UserProfile') ?? ''
    await sendMail(
      tx,
      { domain, now: () => now },
      {
        template: 'digest',
        to: receiver.email,
        userId,
        values: {
          name: receiver.firstName,
          period,
          items: items.map(({ title, text, date, link }) => ({
            title,
            text,
            date,
            link: link && ledTo(home, decrypt('messages', link, sealedFor)),
          })),
          link: `${domain.origin}${path}`,
        },
      },
    )
  })
}

/**
 * Writes one mail to each person who has items from before the period's end. However often it runs, nobody gets two
 * mails for one period, nor an empty one. A failure for one person doesn't stop the others; it throws at the end.
 */
export async function sendDueDigests(now: Date) {
  let failed = 0
  for (const period of ['daily', 'weekly'] as const) {
    const dueAt = lastDue(period, now)
    for (const userId of await selectDigestReceivers(period, dueAt))
      await sendDigest(userId, period, dueAt, now).catch((error: unknown) => {
        failed++
        log.error({ err: error, userId, period }, 'a digest was not written')
      })
  }
  if (failed > 0) throw new Error(`${failed} digests were not written`)
}

/** Deletes the rows of digests that were sent over two months ago. */
export const tidyDigests = () => removeOldDigests()
