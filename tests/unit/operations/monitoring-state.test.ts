import { afterEach, describe, expect, test, vi } from 'vitest'
import { AddressBlocked } from '@/lib/base/http/external-fetch'
import { type Check, CheckFault } from '@/lib/base/runtime/monitoring'
import { partsOf } from '@/lib/operations/monitoring/chart'
import { faultWord, runChecks } from '@/lib/operations/monitoring/look'
import { nextStanding, type Standing } from '@/lib/operations/monitoring/state'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const start: Standing = { status: 'up', doubts: 0, countedAt: null }
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 24) + seconds * 1000)

/** Returns a function that gives the next number from 0 to 1. */
function chance(seed: number) {
  const next = caseNumbers(seed)
  return () => next(1_000_000) / 1_000_000
}

/** How a check stands after looks, each with its second. */
const standingAfter = (looks: readonly [second: number, good: boolean][], from = start) =>
  looks.reduce((standing, [second, good]) => nextStanding(standing, good, at(second)), from)

describe('how a check stands', () => {
  test('one or two failures are no alarm, a third one is', () => {
    expect(standingAfter([[0, false]]).status).toBe('up')
    expect(
      standingAfter([
        [0, false],
        [10, false],
      ]).status,
    ).toBe('up')
    expect(
      standingAfter([
        [0, false],
        [10, false],
        [20, false],
      ]).status,
    ).toBe('down')
  })

  test('a good look in between begins anew', () => {
    expect(
      standingAfter([
        [0, false],
        [10, false],
        [20, true],
        [30, false],
        [40, false],
      ]).status,
    ).toBe('up')
  })

  test('it is up again after two good looks', () => {
    const down: Standing = { status: 'down', doubts: 0, countedAt: null }
    expect(standingAfter([[0, true]], down).status).toBe('down')
    expect(
      standingAfter(
        [
          [0, true],
          [10, false],
          [20, true],
        ],
        down,
      ).status,
    ).toBe('down')
    expect(
      standingAfter(
        [
          [0, true],
          [10, true],
        ],
        down,
      ).status,
    ).toBe('up')
  })

  test('however often people look at once, a status changes only after three failures and ten seconds', () => {
    const random = chance(27)
    for (const _ of eachRound(300)) {
      let standing = start
      let second = 0
      let since: number | null = null
      let looks = 0
      for (let step = 0; step < 60; step++) {
        second += random() < 0.6 ? random() * 2 : random() * 90
        const good = random() < 0.45
        since = good ? null : (since ?? second)
        looks = good ? 0 : looks + 1
        const next = nextStanding(standing, good, at(second))
        if (standing.status === 'up' && next.status === 'down') {
          expect(looks).toBeGreaterThanOrEqual(3)
          expect(second - (since ?? second)).toBeGreaterThanOrEqual(10)
        }
        standing = next
      }
    }
  })

  test('looks that go on failing lead to down, whatever came before', () => {
    const random = chance(28)
    for (const _ of eachRound(100)) {
      const before = Array.from({ length: 20 }, (_, n): [number, boolean] => [n * 7, random() < 0.5])
      expect(standingAfter([...before, [200, false], [210, false], [220, false]]).status).toBe('down')
    }
  })
})

describe('a look', () => {
  afterEach(() => void vi.useRealTimers())

  test('that hangs is given up after five seconds and told so, and delays no other one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const aborted = vi.fn()
    const check = (key: string, look: Check['look']): Check => ({ key, kind: 'application', critical: 1, look })
    const hangs = check('hangs', (signal) => new Promise(() => signal.addEventListener('abort', aborted)))
    const works = vi.fn(async () => ({ stuck: 2 }))
    const over = runChecks([hangs, check('works', works), hangs], 2)
    await vi.advanceTimersByTimeAsync(4_500)
    expect(works).toHaveBeenCalled()
    expect(aborted).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(6_000)
    const results = await over
    expect(aborted).toHaveBeenCalledTimes(2)
    expect(results.map(({ check: { key }, error, stuck }) => [key, error, stuck])).toEqual([
      ['works', null, 2],
      ['hangs', 'timeout', 0],
      ['hangs', 'timeout', 0],
    ])
  })

  test('never throws, whatever is thrown at it', async () => {
    const looks: Check['look'][] = [
      () => {
        throw new Error('at once')
      },
      () => Promise.reject(undefined),
    ]
    const results = await runChecks(looks.map((look, n) => ({ key: `${n}`, kind: 'jobs', critical: 2, look })))
    expect(results.map(({ error }) => error)).toEqual(['failed', 'failed'])
  })
})

describe('the word for a failure', () => {
  test('is a code, and never the message, which may hold an address or a secret', () => {
    const secret = Object.assign(new Error('connect to redis://:secret@10.0.0.5 failed'), { code: 'ECONNREFUSED' })
    expect(faultWord(secret)).toBe('ECONNREFUSED')
    expect(faultWord(new TypeError('fetch failed', { cause: secret }))).toBe('ECONNREFUSED')
    expect(faultWord(new Error('postgres://app:secret@db'))).toBe('failed')
    expect(faultWord(Object.assign(new Error('x'), { code: 'a code: with secret' }))).toBe('failed')
    expect(faultWord(new AddressBlocked('10.0.0.5'))).toBe('addressBlocked')
    expect(faultWord(new CheckFault('HTTP 503'))).toBe('HTTP 503')
    for (const thrown of [undefined, null, 'text', 7]) expect(faultWord(thrown)).toBe('failed')
  })
})

describe('the history of a check', () => {
  const slot = (minute: number, values: object) => ({
    checkId: 'x',
    at: at(minute * 60),
    ...{ checks: 30, failures: 0, stuck: 0, total: 300, worst: 40 },
    ...values,
  })

  test('is by the hour of the reader for a day; half hours add up, and an hour without looks is empty', () => {
    const now = at(90 * 60)
    const parts = partsOf([slot(0, {}), slot(30, { failures: 10, total: 400, worst: 90 })], 24, now, 'Asia/Kolkata')
    expect(parts).toHaveLength(24)
    // 1:30 in UTC is 7:00 there
    expect(parts.at(-1)).toEqual({ at: at(90 * 60).toISOString(), checks: 0, failures: 0, mean: null, worst: null })
    expect(parts.at(-2)).toMatchObject({ at: at(30 * 60).toISOString(), checks: 30, failures: 10, mean: 20, worst: 90 })
    expect(parts.at(-3)).toMatchObject({ checks: 30, failures: 0, mean: 10, worst: 40 })
  })

  test('is by the day for more, also where a day has 23 or 25 hours', () => {
    for (const [month, day] of [
      [2, 31],
      [9, 27],
    ] as const) {
      const now = new Date(Date.UTC(2026, month, day, 12))
      const parts = partsOf([], 168, now, 'Europe/Berlin')
      const clock = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hourCycle: 'h23' })
      expect(parts).toHaveLength(7)
      expect(new Set(parts.map((part) => part.at)).size).toBe(7)
      for (const part of parts) expect(['23', '00', '01']).toContain(clock.format(new Date(part.at)))
    }
  })
})
