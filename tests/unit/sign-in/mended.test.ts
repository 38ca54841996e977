import { expect, test } from 'vitest'
import { type Failed, mended } from '@/app/platform/(auth)/_ui/use-submission'

const failed = (...fields: string[]): Failed => ({
  failure: { kind: 'form', errorList: fields.map((field) => ({ field, code: 'errorEmpty' })) },
  count: 3,
})
const of = (field: string) => (each: string) => each === field

test('the summary of a failure loses a fault when its field is corrected, and goes with the last one', () => {
  const one = mended(failed('password', 'repeatPassword', 'password'), of('password'))
  // the same failure: it isn't announced again
  expect(one).toEqual(failed('repeatPassword'))
  expect(mended(one, of('repeatPassword'))).toBeNull()
})

test('it stays as it is while something else is typed, and so does a failure that no field mends', () => {
  const before = failed('email')
  expect(mended(before, of('password'))).toBe(before)
  const offline: Failed = { failure: { kind: 'offline' }, count: 1 }
  expect(mended(offline, of('email'))).toBe(offline)
  expect(mended(null, of('email'))).toBeNull()
})
