import { z } from 'zod'
import { contract } from '@/lib/base/contracts/contract'
import { channelIds, periods, subscriptionIds } from '@/lib/messaging/subscription-kinds'

const tag = 'subscriptions'

const id = z.enum(subscriptionIds, { error: 'errorFormat' })
const period = z.enum(periods, { error: 'errorFormat' })
const channelId = z.enum(channelIds, { error: 'errorFormat' })

const Subscription = z.strictObject({
  id,
  /** The period of mails; SMS and notifications are sent at once. */
  period,
  availablePeriods: z.array(period),
  channels: z.array(
    z.strictObject({
      id: channelId,
      enabled: z.boolean(),
      /** Whether it can't be switched off. */
      locked: z.boolean(),
    }),
  ),
})
export type Subscription = z.output<typeof Subscription>

const Subscriptions = z.strictObject({
  subscribes: z.array(Subscription),
  /** The channels of the installation; `active` if the person can be reached by it. */
  subscribesChannels: z.array(z.strictObject({ id: channelId, active: z.boolean() })),
  /** The version; null until the person has chosen something. */
  updatedAt: z.iso.datetime().nullable(),
})

export const getSubscriptions = contract({
  name: 'getSubscriptions',
  method: 'GET',
  path: '/user/profile/subscribes',
  summary: 'What the signed-in person is told of, by which channels and how often',
  tag,
  access: 'user',
  response: Subscriptions,
})

export const putSubscriptions = contract({
  name: 'putSubscriptions',
  method: 'PUT',
  path: '/user/profile/subscribes',
  summary: 'Changes the given channels of subscriptions and their periods, all or none; the others stay',
  tag,
  access: 'user',
  snackbar: 'subscribesUpdate',
  body: z.strictObject({
    /** The version that was read. */
    updatedAt: z.iso.datetime({ error: 'errorFormat' }).nullable().optional(),
    subscribes: z
      .array(
        z.strictObject({
          subscribeId: id,
          channelId,
          enabled: z.boolean({ error: 'errorFormat' }),
          /** The same in all items of a subscription. */
          period,
        }),
        { error: 'errorFormat' },
      )
      .max(100, 'errorTooMany'),
  }),
  response: Subscriptions,
  errors: {
    errorSubscribeChannel: 400,
    errorSubscribeContact: 400,
    errorSubscribeLocked: 400,
    errorSubscribePeriod: 400,
    errorSubscribeTwice: 400,
    conflict: 409,
  },
})
