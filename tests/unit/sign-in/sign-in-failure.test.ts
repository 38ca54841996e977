import { describe, expect, it } from 'vitest'
import { failureOf } from '@/app/platform/(auth)/_ui/failure'

const errorList = [{ field: 'password', code: 'signInFailed' }]

describe('failureOf', () => {
  it.each([
    [
      'a fault of ours',
      { status: 503, code: 'unavailable', data: {}, requestId: 'r1', until: 2_000 },
      { kind: 'tech', requestId: 'r1' },
    ],
    [
      'an attempt that is over',
      { status: 400, code: 'attemptExpired', data: { expired: true }, requestId: 'r' },
      { kind: 'expired' },
    ],
    [
      'a code that ran out, in an attempt that goes on',
      { status: 400, code: 'errorCodeExpired', data: { expired: true, errorList }, requestId: 'r' },
      { kind: 'form', errorList },
    ],
    [
      'the daily limit of codes',
      { status: 429, code: 'codeDailyLimit', data: {}, requestId: 'r', until: 86_401_000 },
      { kind: 'codeLimit', until: 86_401_000 },
    ],
    [
      'too many tries',
      { status: 429, code: 'tooManyAttempts', data: {}, requestId: 'r', until: 91_000 },
      { kind: 'wait', code: 'tooManyAttempts', until: 91_000 },
    ],
    [
      'too many tries of a day',
      { status: 429, code: 'tooManyAttempts', data: {}, requestId: 'r', until: 80_001_000 },
      { kind: 'wait', code: 'tooManyAttempts', until: 80_001_000, far: true },
    ],
    [
      'a limit without its end',
      { status: 429, code: 'tooManyRequests', data: {}, requestId: 'r' },
      { kind: 'refused', code: 'tooManyRequests' },
    ],
    [
      'a blocked account',
      { status: 400, code: 'accountBlocked', data: {}, requestId: 'r' },
      { kind: 'refused', code: 'accountBlocked' },
    ],
    [
      'a device on which this way is closed',
      { status: 400, code: 'deviceLimit', data: {}, requestId: 'r' },
      { kind: 'refused', code: 'deviceLimit' },
    ],
    [
      'no way on after the first factor',
      { status: 400, code: 'noFlows', data: {}, requestId: 'r' },
      { kind: 'tech', requestId: 'r', advice: 'noFlows' },
    ],
    [
      'a gateway that is away',
      { status: 503, code: 'smsUnavailable', data: {}, requestId: 'r', until: 31_000 },
      { kind: 'refused', code: 'smsUnavailable' },
    ],
    [
      'wrong data',
      { status: 400, code: 'signInFailed', data: { errorList }, requestId: 'r' },
      { kind: 'form', errorList },
    ],
    [
      'wrong data of no field',
      { status: 400, code: 'errorFields', data: {}, requestId: 'r' },
      { kind: 'refused', code: 'errorFields' },
    ],
    [
      'a limit that has ended since',
      { status: 429, code: 'tooManyAttempts', data: {}, requestId: 'r', until: 900 },
      { kind: 'refused', code: 'tooManyAttempts' },
    ],
  ])('sorts %s', (_, outcome, failure) => {
    expect(failureOf(outcome, 1000)).toEqual(failure)
  })
})
