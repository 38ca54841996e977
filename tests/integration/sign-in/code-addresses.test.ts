import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { redis } from '@/lib/base/redis/redis'
import { AppError } from '@/lib/base/runtime/errors'
import { enterCode } from '@/lib/sign-in/codes/enter-code'
import { wrongByAddress } from '@/lib/sign-in/codes/limits'
import { type CodeSlot, storeCode } from '@/lib/sign-in/codes/redis-code'
import { wrong } from '../../factories/codes'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

beforeEach(() => redis().flushdb())

const random = caseNumbers(21)
const [inTenMinutes = 0, perDay = 0] = wrongByAddress.map(({ points }) => points)
const day = 86_400_000
const right = '4711'

/** An attempt of somebody whose browser nobody knows, and the code that was sent to them. */
async function attemptOf(person: string, attempts = 3) {
  const slot: CodeSlot = { purpose: 'email_code', owner: randomUUID(), recipient: `email_code ${person}` }
  const send = () => storeCode(slot, right, { alive: 900, attempts, endTime: new Date() })
  await send()
  /** Enters a code at a moment. Returns what became of it. */
  const enter = async (code: string, at: number, ip: string) => {
    const entering = { counted: `of ${person}`, known: false, possible: true }
    const outcome = enterCode({ ip, now: () => new Date(at) }, slot, code, entering)
    return outcome.then(
      () => 'right' as const,
      (error) => {
        if (!(error instanceof AppError)) throw error
        return error.status === 429 ? ('limited' as const) : ('wrong' as const)
      },
    )
  }
  return { send, enter }
}

let next = Date.now()
/** A moment after all others, and an address that nobody has used. */
const fresh = () => {
  next += 60 * day
  return {
    at: next,
    ip: `2001:db8:${random(0xffff).toString(16)}:${random(0xffff).toString(16)}::1`,
    v4: `10.${random(250)}.${random(250)}.${random(250)}`,
  }
}

describe('an office of 500 people behind one address', () => {
  test('nobody is refused on a day on which one code in 25 is mistyped, and one in five of those isn’t corrected', async () => {
    const { at, v4: ip } = fresh()
    const outcomes: string[] = []
    let [mistyped, givenUp] = [0, 0]
    for (let person = 0; person < 500; person++) {
      const { enter } = await attemptOf(`${ip} ${person}`)
      const when = at + person * 15_000
      if (person % 25 === random(25) || (person % 25 === 0 && mistyped < 25)) {
        outcomes.push(await enter(wrong(right), when, ip))
        mistyped++
        if (random(5) === 0 && ++givenUp) continue
      }
      outcomes.push(await enter(right, when + 5_000, ip))
    }
    expect(mistyped).toBeGreaterThanOrEqual(20)
    expect(outcomes.filter((outcome) => outcome === 'limited')).toEqual([])
    expect(outcomes.filter((outcome) => outcome === 'right')).toHaveLength(500 - givenUp)
  })

  test('twenty mistyped codes that nobody corrects close nothing, and forty close the address for a day', async () => {
    const { at, v4: ip } = fresh()
    for (let n = 0; n < perDay; n++) {
      const { enter } = await attemptOf(`${ip} ${n}`)
      expect(await enter(wrong(right), at + n * 60_000, ip)).toBe('wrong')
      if (n === 20) expect(await enter(right, at + n * 60_000, ip)).toBe('right')
    }
    const { enter } = await attemptOf(`${ip} last`)
    const first = await attemptOf(`${ip} first`)
    expect(await first.enter(wrong(right), at + perDay * 60_000, ip)).toBe('wrong')
    expect(await enter(right, at + day - 60_000, ip)).toBe('limited')
    expect(await enter(right, at + day, ip)).toBe('right')
  })

  test('a right code takes back what was entered wrongly in its attempt, also for a code before it', async () => {
    const { at, v4: ip } = fresh()
    for (let n = 0; n < inTenMinutes * 3; n++) {
      const { enter, send } = await attemptOf(`${ip} ${n}`)
      expect(await enter(wrong(right), at, ip)).toBe('wrong')
      await send()
      expect(await enter(wrong(right), at, ip)).toBe('wrong')
      expect(await enter(right, at, ip)).toBe('right')
    }
  })
})

describe('an attacker', () => {
  test('who owns accounts and addresses compares no more guesses than the limits allow, in whatever order', async () => {
    for (const _ of eachRound(6)) {
      const { at, ip, v4 } = fresh()
      const wide = random(2) === 0
      const address = () => (wide ? ip.replace(/:[^:]*::1$/, `:${random(3)}::1`) : v4)
      const guessed: number[] = []
      let attempt = await attemptOf(`${v4} own 0`, 50)
      let now = at
      const days = 3
      for (let n = 0; n < 160; n++) {
        now += [0, 1_000, 60_000, 900_000, 3_600_000][random(5)] ?? 0
        if (now > at + days * day) break
        const move = random(6)
        if (move === 0) attempt = await attemptOf(`${v4} own ${n}`, 50)
        else if (move === 1) await attempt.enter(wrong(right), now, address())
        else if (move === 2) {
          await attempt.enter(right, now, address())
          await attempt.send()
        } else {
          const victim = await attemptOf(`${v4} victim ${random(100_000)}`, 5)
          const tries = Array.from({ length: 1 + random(5) }, () => victim.enter(wrong(right), now, address()))
          for (const outcome of await Promise.all(tries)) if (outcome === 'wrong') guessed.push(now)
        }
      }
      const factor = wide ? 2 : 1
      for (const moment of guessed) {
        const within = (span: number) => guessed.filter((one) => one >= moment && one < moment + span).length
        expect(within(600_000)).toBeLessThanOrEqual(inTenMinutes * factor)
        expect(within(day)).toBeLessThanOrEqual(perDay * factor)
      }
    }
  })

  test('gains nothing by right codes of own accounts, neither before nor after the guesses, nor after a window', async () => {
    const { at, v4: ip } = fresh()
    const washes = async (when: number) => {
      const attempt = await attemptOf(`${ip} own ${when}`, 100)
      for (let n = 0; n < 3; n++) await attempt.enter(wrong(right), when, ip)
      await attempt.enter(right, when, ip)
    }
    let compared = 0
    for (let n = 0; n < 200; n++) {
      const when = at + n * 400_000
      if (when >= at + day) break
      const { enter } = await attemptOf(`${ip} ${n}`)
      if ((await enter(wrong(right), when, ip)) === 'wrong') compared++
      await washes(when)
    }
    // the last own ones can't be taken back any more, because the address is full
    expect(compared).toBeGreaterThan(perDay - 4)
    expect(compared).toBeLessThanOrEqual(perDay)
  })

  test('at an address where the right person signs in takes nothing back: that is another attempt', async () => {
    const { at, v4: ip } = fresh()
    for (let n = 0; n < perDay; n++) {
      const when = at + n * 1_000_000
      const [guesser, person] = [await attemptOf(`${ip} ${n}`), await attemptOf(`${ip} ${n}`)]
      expect(await guesser.enter(wrong(right), when, ip)).toBe('wrong')
      if (n < perDay - 1) expect(await person.enter(right, when, ip)).toBe('right')
    }
    const { enter } = await attemptOf(`${ip} next`)
    expect(await enter(right, at + perDay * 1_000_000, ip)).toBe('limited')
  })
})
