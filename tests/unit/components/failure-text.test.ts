import { expect, test } from 'vitest'
import { failureText } from '@/components/form/failure-text'
import { CallError } from '@/lib/base/http/client'
import errors from '@/messages/en/errors.json'

const now = Date.parse('2026-11-28T12:00:30Z')
const has = (code: string) => code in errors.errors
const textOf = (status: number, code: string, requestId?: string, retryAfter?: number) => {
  const text = failureText(new CallError(status, code, {}, requestId, retryAfter), has, () => 'МСК', now)
  expect(has(text.code)).toBe(true)
  return text
}

test.each([
  [0, 'techError', 'offline'],
  [409, 'conflict', 'conflict'],
  [409, 'lastAdministrator', 'lastAdministrator'],
  // without a text of its own, the status says it
  [409, 'somethingNew', 'conflict'],
  [403, 'somethingNew', 'forbidden'],
  [404, 'somethingNew', 'notFound'],
  // answers of a proxy have no code
  [413, 'techError', 'tooLarge'],
  [429, 'techError', 'tooManyRequests'],
  [502, 'techError', 'unavailable'],
  [504, 'techError', 'unavailable'],
  [418, 'techError', 'errorUnknown'],
])('%i %s is told as %s', (status, code, expected) => {
  expect(textOf(status, code)).toEqual({ code: expected })
})

test('a failure of the server names the code that administrators find in its log', () => {
  expect(textOf(500, 'errorUnknown', 'r-1')).toEqual({ code: 'errorServer', params: { id: 'r-1' } })
  expect(textOf(500, 'errorUnknown')).toEqual({ code: 'errorUnknown' })
})

test.each([
  [1, { code: 'tooManyRequestsIn', params: { count: 1 } }],
  [59, { code: 'tooManyRequestsIn', params: { count: 59 } }],
  // never a minute in which the person is still stopped
  [60, { code: 'tooManyRequestsUntil', params: { until: new Date('2026-11-28T12:02:00Z'), zone: 'МСК' } }],
  [90_000, { code: 'tooManyRequestsUntil', params: { until: new Date('2026-11-29T13:01:00Z'), zone: 'МСК' } }],
])('who tries too often is told how long to wait, or until when: %i s', (seconds, expected) => {
  expect(textOf(429, 'tooManyAttempts', 'r', seconds)).toEqual(expected)
})

test.each(['codeDailyLimit', 'recoveryDailyLimit', 'registrationDailyLimit', 'registrationEmailLimit'])(
  'a limit with a text of its own keeps it, and names its end: %s',
  (code) => {
    expect(textOf(429, code, 'r', 86_400)).toEqual({
      code: `${code}Until`,
      params: { until: new Date('2026-11-29T12:01:00Z'), zone: 'МСК' },
    })
    expect(textOf(429, code, 'r')).toEqual({ code })
  },
)
