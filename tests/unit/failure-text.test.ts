import { expect, test } from 'vitest'
import { failureText } from '@/components/form/failure-text'
import { CallError } from '@/lib/kernel/http/client'
import errors from '@/messages/en/errors.json'

const has = (code: string) => code in errors.errors
const textOf = (status: number, code: string, requestId?: string, retryAfter?: number) => {
  const text = failureText(new CallError(status, code, {}, requestId, retryAfter), has)
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
])('%i %s is told as %s', (status, code, told) => {
  expect(textOf(status, code)).toEqual({ code: told })
})

test('a failure of the server names the code that administrators find in its log', () => {
  expect(textOf(500, 'errorUnknown', 'r-1')).toEqual({ code: 'errorServer', params: { id: 'r-1' } })
  expect(textOf(500, 'errorUnknown')).toEqual({ code: 'errorUnknown' })
})

test.each([
  [1, 'seconds', 1],
  [59, 'seconds', 59],
  [61, 'minutes', 2],
  [3_600, 'hours', 1],
])('who tries too often is told to wait: %i s', (seconds, unit, count) => {
  expect(textOf(429, 'tooManyAttempts', 'r', seconds)).toEqual({ code: 'tooManyRequestsIn', params: { unit, count } })
})

test('a limit with a text of its own keeps it', () => {
  expect(textOf(429, 'codeDailyLimit', 'r', 86_400)).toEqual({ code: 'codeDailyLimit' })
})
