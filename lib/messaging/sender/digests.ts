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
import { platformHome, sendMail } from './service'

type NewItem = {
  userId: string
  period: DigestPeriod
  /** In the receiver's language. */
  title: string
  text?: string
  /** An absolute address. */
  link?: string
  /** The object that it is about; the next item with the same cause replaces it. */
  cause?: string
  /** After this it isn't sent any more. */
  expiresAt?: Date
}

/** The context with which links of items are encrypted; they are encrypted because a link may sign its reader in. */
const encryptionContext = 'digest'

/** Stores an item for a person's next digest, in the transaction of its cause. */
export async function addToDigest(tx: Transaction, ctx: Pick<Ctx, 'domain' | 'now'>, { link, ...item }: NewItem) {
  const host = new URL(ctx.domain.origin).host
  await insertDigestItem(tx, {
    ...item,
    link: link ? encrypt('messages', link, encryptionContext) : '',
    host,
    date: ctx.now(),
  })
}

/** Removes the item with this cause from a person's next digest. */
export const dropFromDigest = (tx: Transaction, userId: string, cause: string) => deleteDigestItem(tx, userId, cause)

/** Removes up to `limit` items with this cause from the next digests of all people. Returns how many it removed. */
export const dropCauseFromDigests = (tx: Transaction, cause: string, limit: number) =>
  deleteCauseItems(tx, cause, limit)

const hour = 3_600_000
const day = 24 * hour
/** Moscow has no daylight saving time. */
const moscow = 3 * hour

/** Returns the last end of a period: 9:00 in Moscow, each day or each Monday. */
export function lastDue(period: DigestPeriod, now: Date): Date {
  // shifted so that a day begins at nine in Moscow
  const shifted = now.getTime() + moscow - 9 * hour
  const midnight = Math.floor(shifted / day) * day
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7
  return new Date(midnight - (period === 'weekly' ? sinceMonday * day : 0) - moscow + 9 * hour)
}

/** Returns the end of the current period, when its digest is sent. */
export const nextDue = (period: DigestPeriod, now: Date) =>
  new Date(lastDue(period, now).getTime() + (period === 'weekly' ? 7 : 1) * day)

/**
 * Returns the link of an item with the origin of `home`; without `home` it keeps the origin of the domain of its cause.
 */
const linkAtHome = (home: CtxDomain | null, link: string) =>
  home ? `${home.origin}${link.slice(new URL(link).origin.length)}` : link

async function sendDigest(userId: string, period: DigestPeriod, dueAt: Date, now: Date) {
  await db().transaction(async (tx) => {
    if (!(await claimDigest(tx, userId, period, dueAt))) return
    const storedItems = await takeDigestItems(tx, userId, period, dueAt)
    const items = storedItems.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    const newest = items.at(-1)
    const receiver = await selectDigestReceiver(tx, userId)
    // without a reachable receiver the items are deleted unsent
    if (!newest || !receiver) return
    const newestDomain = await domainByHost(newest.host)
    // the domain of the newest item decides, but older items may have links to other domains
    const { home } = await platformHome(tx, '', [userId])
    const domain = home ?? newestDomain
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
            link: link && linkAtHome(home, decrypt('messages', link, encryptionContext)),
          })),
          link: `${domain.origin}${path}`,
        },
      },
    )
  })
}

/**
 * Queues one mail for each person who has items from before the end of the period. A person gets at most one mail for a
 * period, however often this runs, and no empty mail. A failure for one person doesn't stop the others; it throws at
 * the end.
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
