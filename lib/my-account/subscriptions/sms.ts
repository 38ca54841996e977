import { db } from '@/db/client'
import type { DomainEvent, EventName } from '@/lib/base/events/events'
import type { DeliveryHandler } from '@/lib/base/events/handlers'
import type { SmsTemplate, SmsValues } from '@/lib/base/mail-and-sms/templates'
import { smsReady } from '@/lib/base/mail-and-sms/transports'
import { stableId } from '@/lib/base/runtime/stable-id'
import { sendSms } from '@/lib/messaging/sender/service'
import type { SubscriptionId } from '@/lib/messaging/subscription-kinds'
import { isTold } from '@/lib/messaging/subscriptions/service'
import { domainByHost } from '@/lib/site/domains/service'
import { selectSmsReceiver } from './queries'

type Sms<T extends SmsTemplate> = { subscription: SubscriptionId; template: T; values: SmsValues[T] }
type AnySms =
  | Sms<'newDevice'>
  | Sms<'passwordChanged'>
  | Sms<'invitation'>
  | Sms<'accessApproved'>
  | Sms<'accessRefused'>

/** The SMS of each event that has one; null for an event that needs no SMS. */
const smsOf = {
  deviceUsed: ({ device }, date) => ({
    subscription: 'newDevice',
    template: 'newDevice',
    values: { device, date },
  }),
  passwordChanged: (_, date) => ({
    subscription: 'passwordChanged',
    template: 'passwordChanged',
    values: { date },
  }),
  invitationSent: ({ company }) => ({
    subscription: 'invitation',
    template: 'invitation',
    values: { company },
  }),
  accessDecided: ({ status, company }) =>
    status === 'duplicate'
      ? null
      : {
          subscription: 'requestDecided',
          template: status === 'approved' ? ('accessApproved' as const) : ('accessRefused' as const),
          values: { company },
        },
} satisfies { [K in EventName]?: (data: DomainEvent<K>['data'], date: Date) => AnySms | null }

/** The events that send an SMS. */
export const textedEvents = Object.keys(smsOf) as (keyof typeof smsOf)[]

/** How long an SMS may be sent after its event, in milliseconds. */
const sendableFor = 86_400_000

/**
 * Returns the handler that sends the SMS of an event to the person, if they have subscribed to it and have a mobile. A
 * second delivery of the event sends nothing.
 */
export const smsSender =
  <K extends keyof typeof smsOf>(name: K): DeliveryHandler<DomainEvent<K>> =>
  async ({ data, date }, { id }) => {
    const sms = (smsOf[name] as (data: DomainEvent<K>['data'], date: Date) => AnySms | null)(data, date)
    const { userId } = data
    if (!sms || !smsReady() || !(await isTold(userId, sms.subscription, 'sms'))) return
    const receiver = await selectSmsReceiver(userId)
    if (!receiver) return
    // an event has no domain of its own
    const domain = await domainByHost('')
    await db().transaction((tx) =>
      sendSms(
        tx,
        { domain, now: () => new Date() },
        {
          id: stableId('subscribed-sms', id),
          to: receiver.mobile,
          userId,
          expiresAt: new Date(date.getTime() + sendableFor),
          template: sms.template,
          values: sms.values as SmsValues[typeof sms.template],
        },
      ),
    )
  }
