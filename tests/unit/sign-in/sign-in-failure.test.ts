import { describe, expect, it } from 'vitest'
import { failureOf } from '@/app/platform/(auth)/_ui/failure'
import { CallError } from '@/lib/base/http/client'

const errorList = [{ field: 'password', code: 'signInFailed' }]

describe('failureOf', () => {
  it.each([
    ['no answer', new CallError(0, 'techError', {}, undefined, undefined), { kind: 'offline' }],
    ['a fault of ours', new CallError(503, 'unavailable', {}, 'r1', 1), { kind: 'tech', requestId: 'r1' }],
    ['what no call throws', new TypeError('x'), { kind: 'tech', requestId: undefined }],
    [
      'an attempt that is over',
      new CallError(400, 'attemptExpired', { expired: true }, 'r', undefined),
      { kind: 'expired' },
    ],
    [
      'a code that ran out, in an attempt that goes on',
      new CallError(400, 'errorCodeExpired', { expired: true, errorList }, 'r', undefined),
      { kind: 'form', errorList },
    ],
    [
      'the daily limit of codes',
      new CallError(429, 'codeDailyLimit', {}, 'r', 86_400),
      { kind: 'codeLimit', until: 86_401_000 },
    ],
    [
      'too many tries',
      new CallError(429, 'tooManyAttempts', {}, 'r', 90),
      { kind: 'wait', code: 'tooManyAttempts', until: 91_000 },
    ],
    [
      'too many tries of a day',
      new CallError(429, 'tooManyAttempts', {}, 'r', 80_000),
      { kind: 'wait', code: 'tooManyAttempts', until: 80_001_000, far: true },
    ],
    [
      'a limit without its end',
      new CallError(429, 'tooManyRequests', {}, 'r', undefined),
      { kind: 'refused', code: 'tooManyRequests' },
    ],
    [
      'a blocked account',
      new CallError(400, 'accountBlocked', {}, 'r', undefined),
      { kind: 'refused', code: 'accountBlocked' },
    ],
    [
      'a device on which this way is closed',
      new CallError(400, 'deviceLimit', {}, 'r', undefined),
      { kind: 'refused', code: 'deviceLimit' },
    ],
    [
      'no way on after the first factor',
      new CallError(400, 'noFlows', {}, 'r', undefined),
      { kind: 'tech', requestId: 'r', advice: 'noFlows' },
    ],
    [
      'a gateway that is away',
      new CallError(503, 'smsUnavailable', {}, 'r', 30),
      { kind: 'refused', code: 'smsUnavailable' },
    ],
    ['wrong data', new CallError(400, 'signInFailed', { errorList }, 'r', undefined), { kind: 'form', errorList }],
    ['wrong data, unnamed', new CallError(400, 'errorFields', {}, 'r', undefined), { kind: 'form', errorList: [] }],
  ])('sorts %s', (_, error, failure) => {
    expect(failureOf(error, 1000)).toEqual(failure)
  })
})
