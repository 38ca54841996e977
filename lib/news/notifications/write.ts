import { db, type Transaction } from '@/db/client'
import { sendLiveEvents } from '@/lib/base/cache/live-events'
import type { DomainEvent, EventName } from '@/lib/base/events/events'
import type { DeliveryHandler } from '@/lib/base/events/handlers'
import type { SubscriptionId } from '@/lib/messaging/subscription-kinds'
import { isTold } from '@/lib/messaging/subscriptions/service'
import type { NoticeKind, NoticeValues } from './kinds'
import { deleteNoticesOfNews, deleteOldNotices, insertNotices } from './queries'

/** The number of days for which a notification is stored. */
const storedDays = 180
/** The number of people whose notifications a transaction writes. */
const batchSize = 200

type NewNotice = { [K in NoticeKind]: { userId: string; kind: K; values: NoticeValues[K] } }[NoticeKind]

/** The notification of each event, or several for several people. */
const noticesOf = {
  deviceUsed: ({ userId, device, ip }) => ({ userId, kind: 'newDevice', values: { device, ip } }),
  passwordChanged: ({ userId, device, ip }) => ({ userId, kind: 'passwordChanged', values: { device, ip } }),
  sessionsEnded: ({ userId, count }) => ({ userId, kind: 'sessionsEnded', values: { count } }),
  invitationSent: ({ userId, company }) => ({ userId, kind: 'invitation', values: { company } }),
  accessDecided: ({ userId, status, company }) => ({ userId, kind: 'requestDecided', values: { status, company } }),
  accessRequested: ({ userIds, person }) =>
    userIds.map((userId) => ({ userId, kind: 'accessRequested', values: { person } })),
  roleHolders: ({ userIds, given, role, roleEn }) =>
    userIds.map((userId) => ({
      userId,
      kind: given ? 'roleGiven' : 'roleTaken',
      values: { role, roleEn: roleEn ?? role },
    })),
  accessSwitched: ({ userIds, of, enabled, name, nameEn }) =>
    userIds.map((userId) => ({
      userId,
      kind: 'accessSwitched',
      values: { of, state: enabled ? 'on' : 'off', name, nameEn: nameEn ?? name },
    })),
  companiesMerged: ({ userIds, company }) =>
    userIds.map((userId) => ({ userId, kind: 'companiesMerged', values: { company } })),
  webhookDisabled: ({ userIds, applicationId, webhook, application, applicationEn, reason }) =>
    userIds.map((userId) => ({
      userId,
      kind: 'webhookDisabled',
      values: { webhook, application, applicationEn: applicationEn ?? application, reason, applicationId },
    })),
  hostsAdded: ({ userIds, domainId, domain, hosts }) =>
    userIds.map((userId) => ({
      userId,
      kind: 'hostsAdded',
      values: { hosts: hosts.join(', '), domain, domainId },
    })),
  agreementReminded: ({ userId, document }) => ({ userId, kind: 'agreementReminder', values: { document } }),
} satisfies { [K in EventName]?: (data: DomainEvent<K>['data']) => NewNotice | NewNotice[] }

/** The subscription of a kind; people can't switch off a kind without one. */
const subscriptionOf: Partial<Record<NoticeKind, SubscriptionId>> = {
  newDevice: 'newDevice',
  passwordChanged: 'passwordChanged',
  invitation: 'invitation',
  requestDecided: 'requestDecided',
}

/** The events that have a notification. */
export const noticedEvents = Object.keys(noticesOf) as (keyof typeof noticesOf)[]

/**
 * Returns the handler that writes the notifications of an event, except for people who have switched them off, and
 * sends live events to their pages. A second delivery of the event writes nothing.
 */
export const noticeWriter =
  <K extends keyof typeof noticesOf>(name: K): DeliveryHandler<DomainEvent<K>> =>
  async ({ data, date }, { id }) => {
    const notices = (noticesOf[name] as (data: DomainEvent<K>['data']) => NewNotice | NewNotice[])(data)
    const newNotices: NewNotice[] = []
    for (const notice of [notices].flat()) {
      const subscription = subscriptionOf[notice.kind]
      if (!subscription || (await isTold(notice.userId, subscription, 'local'))) newNotices.push(notice)
    }
    for (let offset = 0; offset < newNotices.length; offset += batchSize) {
      const batch = newNotices
        .slice(offset, offset + batchSize)
        .map((notice) => ({ ...notice, cause: `event-${id}`, date }))
      await db().transaction(async (tx) => {
        await sendLiveEvents(tx, 'notices-changed', await insertNotices(tx, batch), {})
      })
    }
  }

type NewsNotices = { newsId: string; cause: string; date: Date; userIds: readonly string[] }

/**
 * Writes the notifications of news. Returns the ids of the people who got one; people who already have one don't get
 * another.
 */
export async function writeNewsNotices(tx: Transaction, { newsId, cause, date, userIds }: NewsNotices) {
  if (userIds.length === 0) return []
  const values: NoticeValues['news'] = { news: newsId }
  return insertNotices(
    tx,
    userIds.map((userId) => ({ userId, kind: 'news' satisfies NoticeKind, values, cause, date })),
  )
}

/** Deletes notifications of withdrawn news, at most `limit`. Returns the ids of the people who had them. */
export const takeBackNotices = (tx: Transaction, cause: string, limit: number) => deleteNoticesOfNews(tx, cause, limit)

/** Deletes notifications after half a year. */
export const tidyNotices = (now: Date): Promise<void> =>
  deleteOldNotices(new Date(now.getTime() - storedDays * 86_400_000))
