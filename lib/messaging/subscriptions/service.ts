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

/** Returns the choices of a person and their version, which is null if the person has never chosen. */
export async function choicesOf(run: Database | Transaction, userId: string) {
  const row = await selectChoices(run, userId)
  return { choices: StoredChoices.parse(row?.choices ?? {}), updatedAt: row?.updatedAt ?? null }
}

/**
 * Locks the choices of a person for a change. `created`: the person had never chosen. `store` stores new choices.
 */
export async function lockedChoices(tx: Transaction, userId: string) {
  const { row, created } = await lockChoices(tx, userId)
  const store = (choices: StoredChoices) => storeChoices(tx, userId, choices)
  return { choices: StoredChoices.parse(row?.choices ?? {}), updatedAt: row?.updatedAt, created, store }
}

/** Whether a channel is available for a subscription: an administrator can't disable one that is always on. */
const isAvailable = async (id: SubscriptionId, channel: ChannelId) =>
  isLocked(id, channel) || !(await channelsOff()).has(channel)

/** Returns whether a person gets the messages of a subscription by a channel. */
export async function isTold(
  userId: string,
  id: SubscriptionId,
  channel: ChannelId,
  run: Database | Transaction = db(),
) {
  const { choices } = await choicesOf(run, userId)
  return choiceFrom(id, choices).channels[channel] === true && isAvailable(id, channel)
}

/** Returns by which channels each of these people gets the messages of a subscription, in few statements. */
export async function toldOf(run: Database | Transaction, userIds: readonly string[], id: SubscriptionId) {
  const rows = userIds.length === 0 ? [] : await selectChoicesOf(run, userIds)
  const stored = new Map(rows.map(({ userId, choices }) => [userId, StoredChoices.parse(choices)]))
  const available = await Promise.all(
    channelIds.map(async (channel) => [channel, await isAvailable(id, channel)] as const),
  )
  return new Map(
    userIds.map((userId) => {
      const { channels } = choiceFrom(id, stored.get(userId) ?? {})
      const channelsOn = available.map(([channel, isOn]) => [channel, isOn && channels[channel] === true] as const)
      return [userId, Object.fromEntries(channelsOn) as Record<ChannelId, boolean>]
    }),
  )
}

/** How long an expiring mail must still be valid when its digest is sent: a day, in milliseconds. */
const minimumValidity = 86_400_000

type SubscribedMail<T extends MailTemplate> = {
  subscription: SubscriptionId
  /** The object that it is about: it replaces an item of the next digest with the same cause. */
  cause: string
  userId: string
  to: string
  locale: string
  template: T
  values: MailValues[T]
  /** After this the mail isn't sent any more. */
  expiresAt?: Date
}

const goesToDigest = (period: Period, now: Date, expiresAt: Date | undefined): period is 'daily' | 'weekly' =>
  period !== 'instant' && (!expiresAt || nextDue(period, now).getTime() + minimumValidity <= expiresAt.getTime())

/**
 * Mails a message of a subscription to a person, in the transaction of its cause: at once, or with the next digest. A
 * mail that expires less than a day after the next digest is sent at once. Does nothing if the person doesn't want
 * these mails.
 */
export async function mailSubscribed<T extends MailTemplate>(
  tx: Transaction,
  ctx: MessageCtx,
  { subscription, cause, ...mail }: SubscribedMail<T>,
): Promise<void> {
  const { userId, expiresAt } = mail
  await dropFromDigest(tx, userId, cause)
  const { choices } = await choicesOf(tx, userId)
  const { channels, period } = choiceFrom(subscription, choices)
  if (!channels.email || !(await isAvailable(subscription, 'email'))) return
  if (!goesToDigest(period, ctx.now(), expiresAt)) {
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
