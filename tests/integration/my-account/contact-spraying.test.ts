import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { messages } from '@/db/schema'
import { siteFactor } from '@/lib/base/limits/address-limits'
import { redis } from '@/lib/base/redis/redis'
import { requestContactCode } from '@/lib/my-account/contact-details/contract'
import { requestsByAddress, wrongByAddress } from '@/lib/sign-in/codes/limits'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { addWrong, passResend, wrong } from '../../factories/codes'
import { codeFor, freshEmail, freshMobile, verify } from '../../factories/own-account'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const faultOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { errorList = [] } = (body.data ?? {}) as { errorList?: { field: string; code: string }[] }
  return [status, errorList[0]?.field, errorList[0]?.code]
}

/** Two people in one /64, one in another /64 of its /48, and one elsewhere; the limits of their addresses alone. */
async function neighbours() {
  const before = new Set(await redis().keys('limit:code-*'))
  const site = `2001:db8:${(++sites).toString(16)}`
  const at = async (ip: string) => new Caller((await signedInWith([], new Browser('localhost:3000', ip))).browser)
  const people = {
    first: await at(`${site}:1::5`),
    near: await at(`${site}:1:9::1`),
    site: await at(`${site}:2::1`),
    away: await at(`2001:db8:f000:${sites.toString(16)}::1`),
  }
  const fill = async (name: string, points: number) => {
    const wrong = name.startsWith('code-wrong')
    const keys = (await redis().keys(wrong ? `limit:${name}:*` : `limit:${name}:0:*`)).filter((key) => !before.has(key))
    expect(keys).toHaveLength(1)
    await (wrong ? addWrong(keys[0] ?? '', points) : redis().set(keys[0] ?? '', points, 'KEEPTTL'))
  }
  return { ...people, fill }
}
let sites = 0x5000
const tooMany = { status: 429, body: { code: 'tooManyAttempts' } }

describe('codes of contacts are limited by address, whoever is signed in there', () => {
  test('requests: an account after the other mails no more strangers', async () => {
    const { first, near, site, away, fill } = await neighbours()
    const ask = async (caller: Caller, kind: 'email' | 'mobile' = 'email') =>
      caller.send(requestContactCode, { body: { kind, value: kind === 'email' ? freshEmail() : freshMobile() } })
    expect((await ask(first)).status).toBe(200)
    await fill('code-asked', requestsByAddress[0]?.points ?? 0)
    for (const kind of ['email', 'mobile'] as const) expect(await ask(near, kind)).toMatchObject(tooMany)
    await fill('code-asked-wide', (requestsByAddress[0]?.points ?? 0) * siteFactor)
    expect(await ask(site)).toMatchObject(tooMany)
    expect((await ask(away)).status).toBe(200)
  })

  test('guesses: an account after the other tries no more', async () => {
    const { first, near, site, away, fill } = await neighbours()
    const guess = async (caller: Caller) => {
      const value = freshEmail()
      const code = await codeFor(caller, 'email', value)
      return {
        right: () => verify(caller, 'email', value, code),
        wrong: () => verify(caller, 'email', value, wrong(code)),
      }
    }
    const [one, other, beside, elsewhere] = [
      await guess(first),
      await guess(near),
      await guess(site),
      await guess(away),
    ]
    expect(faultOf(await one.wrong())).toEqual([400, 'code', 'errorCode'])
    await fill('code-wrong', wrongByAddress[0]?.points ?? 0)
    expect(await other.wrong()).toMatchObject(tooMany)
    expect(await other.right()).toMatchObject(tooMany)
    await fill('code-wrong-wide', (wrongByAddress[0]?.points ?? 0) * siteFactor)
    expect(await beside.right()).toMatchObject(tooMany)
    expect((await elsewhere.right()).status).toBe(200)
  })
})

test.each(['email', 'mobile'] as const)(
  'thirty requests at once for one contact: one message, by %s, and one count',
  async (kind) => {
    const caller = new Caller((await signedInWith()).browser)
    const ask = (of: 'email' | 'mobile', value: string) =>
      caller.send(requestContactCode, { body: { kind: of, value } })
    const value = kind === 'email' ? freshEmail() : freshMobile()
    await passResend()
    const answers = await thirty(() => ask(kind, value))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await db().$count(messages, eq(messages.recipient, value))).toBe(1)
    // nine more of the ten of a day
    for (let n = 0; n < 9; n++) expect((await ask('email', freshEmail())).status).toBe(200)
    expect(await ask('email', freshEmail())).toMatchObject({ status: 429, body: { code: 'codeDailyLimit' } })
  },
)
