import { type Database, db, type Transaction } from '@/db/client'
import type { MessageCtx } from '@/lib/base/mail-and-sms/queue'
import type { MailTemplate, MailValues } from '@/lib/base/mail-and-sms/templates'
import { channelsOff } from '../channels/service'
import { addToDigest, dropFromDigest, nextDue } from '../sender/digests'
import { itemOf, sendMail } from '../sender/service'
import {
  type ChannelId,
  channelIds,
  choiceFrom,
  isLocked,
  type Period,
  StoredChoices,
  type SubscriptionId,
} from '../subscription-kinds'
import { lockChoices, selectChoices, selectChoicesOf, storeChoices } from './queries'

/** Returns what a person has chosen, and its version; null if they have never chosen. */
export async function choicesOf(run: Database | Transaction, userId: string) {
  const row = await selectChoices(run, userId)
  return { choices: StoredChoices.parse(row?.choices ?? {}), updatedAt: row?.updatedAt ?? null }
}

/**
 * Locks what a person has chosen, for a change. `created`: they had never chosen. `store` stores what they choose.
 */
export async function lockedChoices(tx: Transaction, userId: string) {
  const { row, created } = await lockChoices(tx, userId)
  const store = (choices: StoredChoices) => storeChoices(tx, userId, choices)
  return { choices: StoredChoices.parse(row?.choices ?? {}), updatedAt: row?.updatedAt, created, store }
}

/** Whether a channel tells of something at all: an administrator can't switch off what always comes. */
const isOpen = async (id: SubscriptionId, channel: ChannelId) =>
  isLocked(id, channel) || !(await channelsOff()).has(channel)

/** Returns whether a person is told of something by a channel. */
export async function isTold(
  userId: string,
  id: SubscriptionId,
  channel: ChannelId,
  run: Database | Transaction = db(),
) {
  const { choices } = await choicesOf(run, userId)
  return choiceFrom(id, choices).channels[channel] === true && isOpen(id, channel)
}

/** Returns by which channels each of these people is told of something, in few statements. */
export async function toldOf(run: Database | Transaction, userIds: readonly string[], id: SubscriptionId) {
  const rows = userIds.length === 0 ? [] : await selectChoicesOf(run, userIds)
  const stored = new Map(rows.map(({ userId, choices }) => [userId, StoredChoices.parse(choices)]))
  const open = await Promise.all(channelIds.map(async (channel) => [channel, await isOpen(id, channel)] as const))
  return new Map(
    userIds.map((userId) => {
      const { channels } = choiceFrom(id, stored.get(userId) ?? {})
      const told = open.map(([channel, is]) => [channel, is && channels[channel] === true] as const)
      return [userId, Object.fromEntries(told) as Record<ChannelId, boolean>]
    }),
  )
}

/** How long a mail that expires must still be good for when its digest is sent: a day. */
const leftOver = 86_400_000

type Told<T extends MailTemplate> = {
  subscription: SubscriptionId
  /** What it tells of: what waits for the digest because of the same cause is replaced. */
  cause: string
  userId: string
  to: string
  locale: string
  template: T
  values: MailValues[T]
  /** After this the mail isn't sent any more. */
  expiresAt?: Date
}

const waits = (period: Period, now: Date, expiresAt: Date | undefined): period is 'daily' | 'weekly' =>
  period !== 'instant' && (!expiresAt || nextDue(period, now).getTime() + leftOver <= expiresAt.getTime())

/**
 * Mails a person what they have subscribed to, in the transaction of its cause: at once, or with the next digest. What
 * would expire before it or a day after it is mailed at once. Does nothing if they don't want mails of this.
 */
export async function mailSubscribed<T extends MailTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { subscription, cause, ...mail }: Told<T>,
): Promise<void> {
  const { userId, expiresAt } = mail
  await dropFromDigest(tx, userId, cause)
  const { choices } = await choicesOf(tx, userId)
  const { channels, period } = choiceFrom(subscription, choices)
  if (!channels.email || !(await isOpen(subscription, 'email'))) return
  if (!waits(period, ctx.now(), expiresAt)) {
    await sendMail(tx, ctx, mail)
    return
  }
  await addToDigest(tx, ctx, {
    userId,
    period,
    cause,
    ...(expiresAt ? { expiresAt } : {}),
    ...(await itemOf(ctx, mail)),
  })
}
