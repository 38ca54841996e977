import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemas } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import type { IdAttribute } from '@/lib/sign-in/attempts/contract'
import { type Answered, Browser } from '../../factories/browser'
import { ask, enter, passResend } from '../../factories/codes'
import { runJobs } from '../../factories/messages'
import { type Authenticator, challengeOf, giveKey } from '../../factories/passkey'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { setSetting } from '../../factories/settings'
import { begin, prove } from '../../factories/sign-in'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const kinds = ['login', 'email', 'mobile'] as const
const flows = ['email_code', 'sms_code', 'credentials'] as const
const random = caseNumbers(12)
const pick = <T>(list: readonly [T, ...T[]]): T => list[random(list.length)] ?? list[0]

type Names = Record<IdAttribute, string>

let made = randomInt(1_000_000)
const names = (): Names => {
  made++
  return { login: `somebody.${made}`, email: `somebody.${made}@polaris.example`, mobile: `+7901${1_000_000 + made}` }
}

/** All kinds of accounts that a stranger may ask about, with three names each. */
async function everybody(): Promise<Record<string, Names>> {
  const [existing, blocked, without, same, unknown, two] = [names(), names(), names(), names(), names(), names()]
  await createUser(existing)
  await createUser({ ...blocked, enabled: false })
  await createUser({ ...without, email: null })
  await createUser({ ...same, login: same.email })
  const other = names()
  await createUser({ ...two, email: other.email })
  await createUser({ ...other, email: two.email })
  return {
    known: existing,
    blocked,
    'without e-mail': without,
    'login is the e-mail': { ...same, login: same.email },
    unknown,
    'names of two': two,
  }
}

type Step = {
  what: (typeof steps)[number]
  kind: IdAttribute
  flow: (typeof flows)[number]
  fresh: boolean
  times: number
}
const steps = ['begin', 'ask', 'enter', 'password', 'passkey', 'wait', 'flush'] as const

const randomSteps = (): Step[] =>
  Array.from({ length: 14 }, () => ({
    what: pick(['begin', 'ask', 'ask', 'enter', 'enter', 'password', 'password', 'passkey', 'wait', 'flush'] as const),
    kind: pick(kinds),
    flow: pick(flows),
    fresh: random(3) === 0,
    times: pick([1, 1, 2, 6]),
  }))

/** Removes from an answer what always differs, and keeps what could reveal an account. */
function seen({ status, body, headers }: Answered) {
  const { requestId: _, endTime, ...rest } = body
  const after = headers.get('retry-after')
  return {
    status,
    ...rest,
    ...(endTime === undefined ? {} : { endTime: endTime === null ? null : 'a time' }),
    // a sequence takes a while
    ...(after ? { retryAfter: Math.round(Number(after) / 30) } : {}),
    ...('resendIn' in body ? { resendIn: Math.ceil(Number(body.resendIn) / 30) } : {}),
    headers: [...headers.keys()].sort(),
  }
}

/** Proves a passkey that somebody else has. */
async function proveStrangersKey(browser: Browser, name: string, kind: IdAttribute) {
  const passkey = strangersKey.sign({ challenge: await challengeOf(browser) })
  return prove(browser, name, { flow: 'passkey', passkey }, kind)
}

/** Returns what a stranger is answered about somebody, step by step. */
async function answersFor(person: Names, script: Step[]) {
  let browser = new Browser()
  const answers: unknown[] = []
  for (const { what, kind, flow, fresh, times } of script) {
    const name = person[kind]
    if (fresh) browser = new Browser()
    for (let n = 0; n < times; n++) {
      if (what === 'wait') await passResend()
      else if (what === 'flush') await redis().flushdb()
      else if (what === 'begin') answers.push(seen(await begin(browser, name, kind)))
      else if (what === 'ask') answers.push(seen(await ask(browser, name, flow, kind)))
      else if (what === 'enter')
        answers.push(seen(await enter(browser, name, '00000000', flow === 'credentials' ? 'sms_code' : flow, kind)))
      else if (what === 'passkey') answers.push(seen(await proveStrangersKey(browser, name, kind)))
      else answers.push(seen(await prove(browser, name, { password: 'wrong' }, kind)))
    }
    await runJobs()
  }
  return answers
}

const began = (kind: IdAttribute): Step => ({ what: 'begin', kind, flow: 'email_code', fresh: true, times: 1 })
const step = (what: Step['what'], kind: IdAttribute, times = 1, flow: Step['flow'] = 'email_code'): Step => ({
  what,
  kind,
  flow,
  fresh: false,
  times,
})

/** Sequences whose answers once revealed accounts, or might. */
const scripts: Record<string, Step[]> = {
  'four wrong passwords by login, one by e-mail': [
    began('login'),
    step('password', 'login', 4),
    began('email'),
    step('password', 'email', 2),
  ],
  'a code by login, one by e-mail': [began('login'), step('ask', 'login'), began('email'), step('ask', 'email', 2)],
  'an SMS by e-mail, one by mobile': [
    began('email'),
    step('ask', 'email', 1, 'sms_code'),
    began('mobile'),
    step('ask', 'mobile', 1, 'sms_code'),
  ],
  'a passkey of somebody else, by two names': [
    began('login'),
    step('passkey', 'login', 2),
    began('email'),
    step('passkey', 'email'),
    step('password', 'email'),
  ],
  'the day’s codes by login, then by e-mail': [
    began('login'),
    ...Array.from({ length: 12 }, () => [step('ask', 'login'), step('wait', 'login')]).flat(),
    began('email'),
    step('ask', 'email', 2),
  ],
  'more wrong codes than an account has in a day, by all names': kinds.flatMap((kind) => [
    step('flush', kind),
    began(kind),
    step('ask', kind),
    step('enter', kind, 6),
  ]),
}

let strangersKey: Authenticator
beforeAll(async () => {
  strangersKey = await giveKey((await createUser()).id)
  // long codes, so that nobody guesses one by chance, and one schema for all
  await setSetting('authCodeDigits', 8)
  await db()
    .update(authenticationSchemas)
    .set({ firstFactor: ['credentials', 'email_code', 'sms_code', 'passkey'], secondFactor: [] })
    .where(eq(authenticationSchemas.base, true))
  dropCached('authentication-schemas')
})

async function compare(script: Step[]) {
  const answers: Record<string, unknown[]> = {}
  for (const [who, person] of Object.entries(await everybody())) {
    // each sequence has its own address, so that limits don't affect the others
    await redis().flushdb()
    answers[who] = await answersFor(person, script)
  }
  const { unknown, ...others } = answers
  for (const [who, theirs] of Object.entries(others))
    expect({ who, answers: theirs }).toEqual({ who, answers: unknown })
}

test.each(Object.entries(scripts))(
  'known, unknown, blocked, without e-mail, login as e-mail: %s',
  async (_, script) => {
    await compare(script)
  },
)

test('random sequences of calls are answered alike for all of them', async () => {
  for (const _ of eachRound(12)) await compare([began(pick(kinds)), ...randomSteps()])
}, 120_000)
