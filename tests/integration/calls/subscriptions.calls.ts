import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { subscriptions, users } from '@/db/schema'
import { getSubscriptions, putSubscriptions } from '@/lib/my-account/subscriptions/contract'
import type { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'

const idOf = (caller: Caller) => caller.serve(async ({ user }) => user?.id ?? '')
const look = (caller: Caller) => caller.call(getSubscriptions)

let turn = 0
/** A choice that the caller hasn't made: each call returns another. */
async function other(caller: Caller) {
  turn++
  const userId = await idOf(caller)
  const choices = { news: { period: turn % 2 ? 'weekly' : 'daily', channels: { email: true } } }
  await db().insert(subscriptions).values({ userId, choices }).onConflictDoUpdate({
    target: subscriptions.userId,
    set: { choices },
  })
  return { period: choices.news.period as 'weekly' | 'daily' }
}

const item = { subscribeId: 'news', channelId: 'local', enabled: true, period: 'daily' } as const
const email = { ...item, channelId: 'email' } as const
const sent = (...subscribes: object[]) => ({ body: { subscribes } })
const find = (id: string, rest: object) => ({ id, ...rest })

export default [
  proof(getSubscriptions, {
    prepare: other,
    input: () => ({}),
    shows: ({ period }) => ({
      subscribes: [
        find('requestDecided', { period: 'instant' }),
        find('invitation', { period: 'instant', channels: [{ id: 'email', enabled: true, locked: true }, {}, {}] }),
        find('news', { period, availablePeriods: ['instant', 'daily', 'weekly'] }),
        find('newDevice', { availablePeriods: ['instant'] }),
        find('passwordChanged', { availablePeriods: ['instant'] }),
      ],
    }),
  }),
  proof(putSubscriptions, {
    makes: ['update users'],
    prepare: other,
    input: ({ period }) => ({
      body: {
        subscribes: [
          { ...email, enabled: false, period: period === 'daily' ? ('weekly' as const) : ('daily' as const) },
          { ...item, subscribeId: 'newDevice' as const, enabled: false, period: 'instant' as const },
        ],
      },
    }),
    look,
    shows: ({ period }) => ({
      subscribes: [
        {},
        {},
        {
          id: 'news',
          period: period === 'daily' ? 'weekly' : 'daily',
          channels: [
            { id: 'email', enabled: false, locked: false },
            { id: 'local', enabled: true, locked: false },
          ],
        },
        {
          id: 'newDevice',
          channels: [
            { id: 'email', enabled: true, locked: true },
            { id: 'sms', enabled: false },
            { id: 'local', enabled: false },
          ],
        },
        {},
      ],
    }),
    errors: {
      errorSubscribeChannel: {
        field: 'subscribes.1.channelId',
        input: () => sent({ ...item, enabled: false }, { ...item, channelId: 'sms' }),
      },
      errorSubscribeContact: {
        field: 'subscribes.1.enabled',
        input: async (caller) => {
          await db()
            .update(users)
            .set({ mobile: null })
            .where(eq(users.id, await idOf(caller)))
          return sent(
            { ...item, enabled: false },
            { subscribeId: 'newDevice', channelId: 'sms', enabled: true, period: 'instant' },
          )
        },
      },
      errorSubscribeLocked: {
        field: 'subscribes.1.enabled',
        input: () =>
          sent(
            { ...item, enabled: false },
            { subscribeId: 'passwordChanged', channelId: 'email', enabled: false, period: 'instant' },
          ),
      },
      errorSubscribePeriod: {
        field: 'subscribes.1.period',
        input: () =>
          sent(
            { ...item, enabled: false },
            { subscribeId: 'passwordChanged', channelId: 'email', enabled: true, period: 'weekly' },
          ),
      },
      errorSubscribeTwice: { field: 'subscribes.1.channelId', input: () => sent(item, { ...item, enabled: false }) },
    },
  }),
]
