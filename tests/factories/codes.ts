import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { redis } from '@/lib/base/redis/redis'
import type { FlowId, IdAttribute } from '@/lib/sign-in/attempts/contract'
import { authCode } from '@/lib/sign-in/attempts/contract'
import type { Browser } from './browser'
import { lastCodeTo } from './messages'
import { handlerOf } from './routes'
import { begin, prove } from './sign-in'
import { createRole, createUser } from './users'

const code = handlerOf(authCode)

/** Creates an account that signs in by these flows. */
export async function codeUser(
  firstFactor: string[] = ['email_code', 'sms_code', 'credentials'],
  secondFactor: string[] = [],
) {
  const role = await createRole({ firstFactor, secondFactor })
  return createUser({ roles: [role] })
}

export const ask = (browser: Browser, identifier: string, flow: FlowId = 'email_code', kind: IdAttribute = 'login') =>
  browser.send(code, 'POST', { params: { idAttribute: kind }, body: { flow, [kind]: identifier } })

export const enter = (
  browser: Browser,
  identifier: string,
  digits: string,
  flow: FlowId = 'email_code',
  kind: IdAttribute = 'login',
) => prove(browser, identifier, { flow, code: digits }, kind)

/** A code with every digit another. */
export const wrong = (right: string) => right.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))

/** Lets the resend time pass. */
export const passResend = async () => {
  const keys = await redis().keys('code-resend:*')
  if (keys.length > 0) await redis().del(keys)
}

type Person = { login: string; email: string; mobile: string }

/** A browser that began a sign-in and requested a code, and the digits that were sent. */
export async function askedBy(
  browser: Browser,
  person: Person,
  flow: 'email_code' | 'sms_code' = 'email_code',
  kind: IdAttribute = 'login',
) {
  await passResend()
  await begin(browser, person[kind], kind)
  const { status, body } = await ask(browser, person[kind], flow, kind)
  if (status !== 200) throw new Error(`no code for ${person[kind]}: ${status} ${body.code}`)
  return lastCodeTo(flow === 'email_code' ? person.email : person.mobile)
}

/**
 * Changes the stored times as if so many hours had passed since the last wrong code, and a day since the last request.
 */
export async function passHours(hours: number) {
  await db().execute(sql`update wrong_codes set last_at = last_at - ${`${hours} hours`}::interval,
    entries = array(select entry - ${`${hours} hours`}::interval from unnest(entries) entry)`)
  await forgetAsked()
}

/** Changes the counts as if nobody had requested a code today. */
export const forgetAsked = () => db().execute(sql`delete from daily_counters`)

/** Returns how many wrong codes still count, by key. */
export async function wrongEntries(): Promise<number[]> {
  const { rows } = await db().execute<{ entries: number }>(
    sql`select cardinality(entries)::int as entries from wrong_codes`,
  )
  return rows.map(({ entries }) => entries)
}

const wrongSets = () => redis().keys('limit:code-wrong*')

/** Changes the wrong entries of all addresses as if so many seconds had passed. */
export async function passSeconds(seconds: number) {
  for (const key of await wrongSets()) {
    const entries = await redis().zrange(key, 0, -1)
    for (const entry of entries) await redis().zincrby(key, -seconds * 1000, entry)
  }
}

/** Adds wrong entries that nobody corrects to a set of an address. */
export const addWrong = (key: string, count: number) =>
  redis().zadd(key, ...Array.from({ length: count }, (_, n) => [Date.now(), `of nobody ${n}`]).flat())
