import { describe, expect, test } from 'vitest'
import {
  changeableParts,
  channelIds,
  channelsOf,
  choiceFrom,
  isLocked,
  periods,
  StoredChoices,
  securityIds,
  subscriptionIds,
  subscriptionRules,
} from '@/lib/messaging/subscription-kinds'
import { caseNumbers } from '../../factories/random-cases'
import { rounds } from '../../setup/scope'

const random = caseNumbers(451)
const some = <T>(values: readonly T[]): T => values[random(values.length)] as T

/** What may be stored, also by another version. */
const stored = () =>
  StoredChoices.parse(
    Object.fromEntries(
      Array.from({ length: random(7) }, () => [
        some([...subscriptionIds, 'constructor', 'later']),
        {
          ...(random(2) ? { period: some([...periods, 'monthly', '']) } : {}),
          ...(random(2)
            ? { channels: Object.fromEntries(channelIds.map((id) => [some([id, 'push']), random(2) === 0])) }
            : {}),
        },
      ]),
    ),
  )
const many = Array.from({ length: rounds(2000) }, stored)

describe('subscriptions', () => {
  test('whatever is stored, mails about security are sent at once and can’t be switched off', () => {
    for (const choices of many)
      for (const id of securityIds) {
        const { period, channels } = choiceFrom(id, choices)
        expect([period, channels.email]).toEqual(['instant', true])
      }
  })

  test('whatever is stored, only channels and periods apply that there are', () => {
    for (const choices of many)
      for (const id of subscriptionIds) {
        const { period, channels } = choiceFrom(id, choices)
        expect(subscriptionRules[id].periods).toContain(period)
        expect(Object.keys(channels)).toEqual(channelsOf(id))
      }
  })

  test('mails of news are off until the person asks for them', () => {
    expect(choiceFrom('news', {}).channels).toEqual({ email: false, local: true })
    expect(choiceFrom('news', { news: { channels: { email: true } } }).channels.email).toBe(true)
  })

  test('what can’t be switched off is no part that changes', () => {
    for (const id of subscriptionIds)
      for (const channel of channelsOf(id)) expect(changeableParts(id).includes(channel)).toBe(!isLocked(id, channel))
  })
})
