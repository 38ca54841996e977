import { afterEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { notifyMethods, subscriptions } from '@/db/schema'
import { enableNotifyMethod, listNotifyMethods } from '@/lib/messaging/channels/contract'
import {
  type ChannelId,
  channelIds,
  channelsOf,
  choiceFrom,
  isLocked,
  subscriptionIds,
} from '@/lib/messaging/subscription-kinds'
import { isTold } from '@/lib/messaging/subscriptions/service'
import { getSubscriptions, putSubscriptions } from '@/lib/my-account/subscriptions/contract'
import { signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import { Caller, callerFor } from '../../factories/caller'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const administrator = () => callerFor(enableNotifyMethod)
const turn = async (id: ChannelId, enabled: boolean) =>
  (await administrator()).call(enableNotifyMethod, { params: { id }, body: { enabled } })
afterEach(async () => {
  for (const id of channelIds) await turn(id, true)
})

test('a way that is off tells nobody of anything that can be switched off, whatever people have chosen', async () => {
  const below = caseNumbers(3)
  for (const _ of eachRound(25)) {
    const { id: userId } = await createUser()
    const choices = Object.fromEntries(
      subscriptionIds.map((id) => [
        id,
        { channels: Object.fromEntries(channelsOf(id).map((channel) => [channel, below(2) === 0])) },
      ]),
    )
    await db().insert(subscriptions).values({ userId, choices })
    const on = Object.fromEntries(channelIds.map((id) => [id, below(2) === 0]))
    for (const id of channelIds) await turn(id, on[id] === true)
    for (const id of subscriptionIds)
      for (const channel of channelsOf(id)) {
        const chosen = choiceFrom(id, choices).channels[channel] === true
        const isExpected = chosen && (on[channel] === true || isLocked(id, channel))
        expect({ id, channel, isTold: await isTold(userId, id, channel) }).toEqual({ id, channel, isTold: isExpected })
      }
  }
})

test('people are not offered a way that is off, and get their choice back when it is on again', async () => {
  const caller = new Caller((await signedInWith()).browser)
  const chosen = async () => {
    const { subscribes, subscribesChannels } = await caller.call(getSubscriptions)
    const { channels = [] } = subscribes.find(({ id }) => id === 'news') ?? {}
    return { local: channels.find(({ id }) => id === 'local')?.enabled, ways: subscribesChannels.map(({ id }) => id) }
  }
  const before = await chosen()
  expect(before).toMatchObject({ local: true, ways: [...channelIds] })
  await turn('local', false)
  expect(await chosen()).toEqual({ local: undefined, ways: ['email', 'sms'] })
  const { updatedAt } = await caller.call(getSubscriptions)
  const item = { subscribeId: 'news', channelId: 'local', enabled: false, period: 'instant' } as const
  const refused = await caller.send(putSubscriptions, { body: { subscribes: [item], updatedAt } })
  expect(refused).toMatchObject({ status: 400, body: { data: { errorList: [{ code: 'errorSubscribeChannel' }] } } })
  await turn('local', true)
  expect(await chosen()).toEqual(before)
})

test('what always comes by mail comes by mail', async () => {
  await turn('email', false)
  const { id } = await createUser()
  expect(await isTold(id, 'newDevice', 'email')).toBe(true)
  expect(await isTold(id, 'requestDecided', 'email')).toBe(false)
})

test('of 30 who switch the same version at once one succeeds', async () => {
  const caller = await administrator()
  const { subscribesChannels } = await caller.call(listNotifyMethods)
  const updatedAt = subscribesChannels.find(({ id }) => id === 'sms')?.updatedAt
  const answers = await thirty(() =>
    caller.send(enableNotifyMethod, { params: { id: 'sms' }, body: { enabled: false, updatedAt } }),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
  expect(await db().$count(notifyMethods)).toBe(channelIds.length)
})
