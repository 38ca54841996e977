import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { links, providers, userIdentifiers, users } from '@/db/schema'
import { redis } from '@/lib/base/redis/redis'
import { requestContactCode } from '@/lib/my-account/contact-details/contract'
import { readProfileDetails } from '@/lib/my-account/personal/contract'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import type { Caller } from '../../factories/caller'
import { passResend, wrong } from '../../factories/codes'
import { lastCodeTo, lastMessageTo } from '../../factories/messages'
import { codeFor, contactsOf, freshEmail, freshMobile, ownAccount, save, verify } from '../../factories/own-account'
import { createProvider, recoveryLink } from '../../factories/recovery'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const faultOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { errorList = [] } = (body.data ?? {}) as { errorList?: { field: string; code: string }[] }
  return [status, errorList[0]?.field, errorList[0]?.code]
}
const mainOf = async (id: string) =>
  (await db().select({ email: users.email, mobile: users.mobile }).from(users).where(eq(users.id, id)))[0]

describe('a main contact', () => {
  test.each(['email', 'mobile'] as const)(
    '%s changes with its code, and people sign in with it at once',
    async (kind) => {
      const { user, caller } = await ownAccount()
      const value = kind === 'email' ? freshEmail() : freshMobile()
      const code = await codeFor(caller, kind, value)
      expect((await mainOf(user.id))?.[kind]).toBe(user[kind])
      expect((await verify(caller, kind, value, code, true)).status).toBe(200)
      expect((await mainOf(user.id))?.[kind]).toBe(value)
      const list = (await contactsOf(caller))[kind === 'email' ? 'emails' : 'mobiles']
      expect(list).toMatchObject([
        { value, main: true, additional: false, verified: true },
        { value: user[kind], main: false, additional: true, verified: false },
      ])
      const identifiers = await db().select().from(userIdentifiers).where(eq(userIdentifiers.userId, user.id))
      expect(identifiers.filter((each) => each.kind === kind).map((each) => each.value)).toEqual([value])
      // the previous e-mail hears of it, and doesn't learn the whole new one
      const mail = await lastMessageTo(user.email)
      expect(mail?.template).toBe('contactChanged')
      expect(mail?.content.text).not.toContain(value)
    },
  )

  test('e-mail: the person signs in with the new one, and not with the old one', async () => {
    const { user, caller } = await ownAccount()
    const value = freshEmail()
    await verify(caller, 'email', value, await codeFor(caller, 'email', value), true)
    expect((await signInByPassword(new Browser(), value, password, 'email')).status).toBe(200)
    expect((await signInByPassword(new Browser(), user.email, password, 'email')).status).toBe(400)
  })

  test('recovery links that went to the old e-mail are dead', async () => {
    const { user, caller } = await ownAccount()
    await recoveryLink(new Browser(), user)
    const value = freshEmail()
    await verify(caller, 'email', value, await codeFor(caller, 'email', value), true)
    const rows = await db()
      .select()
      .from(links)
      .where(and(eq(links.userId, user.id), eq(links.kind, 'recovery')))
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ canceledAt }) => canceledAt !== null)).toBe(true)
  })

  test('doesn’t change without a code, whatever is sent', async () => {
    const { user, caller } = await ownAccount()
    const value = freshEmail()
    const refused = await save(caller, { emails: [{ value, main: true }] })
    expect(faultOf(refused)).toEqual([400, 'contacts.emails.0.value', 'errorContactUnproven'])
    expect(await mainOf(user.id)).toEqual({ email: user.email, mobile: user.mobile })
    // nor is half of it stored
    expect((await contactsOf(caller)).emails.map((each) => each.value)).toEqual([user.email])
  })

  test('changes by a save within 15 minutes of its code, and not later', async () => {
    const { user, caller } = await ownAccount()
    const value = freshEmail()
    await verify(caller, 'email', value, await codeFor(caller, 'email', value))
    const contacts = {
      emails: [
        { value: user.email, main: false },
        { value, main: true },
      ],
    }
    const before = new Date(Date.now() - 16 * 60_000)
    await db().execute(`update user_contacts set verified_at = '${before.toISOString()}' where value = '${value}'`)
    expect(faultOf(await save(caller, contacts))).toEqual([400, 'contacts.emails.1.value', 'errorContactUnproven'])
    await verify(caller, 'email', value, await codeFor(caller, 'email', value))
    expect((await save(caller, contacts)).status).toBe(200)
    expect((await mainOf(user.id))?.email).toBe(value)
  })

  test('can’t be left out', async () => {
    const { caller } = await ownAccount()
    expect(faultOf(await save(caller, { mobiles: [] }))).toEqual([400, 'contacts.mobiles', 'errorContactMain'])
  })
})

describe('a code of a contact', () => {
  test('is for that contact alone', async () => {
    const { caller } = await ownAccount()
    const [one, other] = [freshEmail(), freshEmail()]
    const code = await codeFor(caller, 'email', one)
    expect(faultOf(await verify(caller, 'email', other, code))).toEqual([400, 'code', 'errorCode'])
    const mobile = freshMobile()
    expect(faultOf(await verify(caller, 'mobile', mobile, code))).toEqual([400, 'code', 'errorCodeExpired'])
    expect((await contactsOf(caller)).emails).toHaveLength(1)
  })

  test('is for that person alone', async () => {
    const [one, other] = [await ownAccount(), await ownAccount()]
    const value = freshEmail()
    const code = await codeFor(one.caller, 'email', value)
    expect(faultOf(await verify(other.caller, 'email', value, code))).toEqual([400, 'code', 'errorCodeExpired'])
  })

  test('can’t be guessed: its entries end, and so do those of the account over all its codes', async () => {
    const { caller } = await ownAccount()
    const faults = new Set<unknown>()
    let right = ''
    let value = ''
    for (let round = 0; round < 3; round++) {
      value = freshEmail()
      right = await codeFor(caller, 'email', value)
      for (let n = 0; n < 5; n++) {
        // every entry from another address: the account counts them all
        Object.assign(caller.browser, { ip: `198.51.100.${round * 5 + n}` })
        faults.add((await faultOf(await verify(caller, 'email', value, wrong(right))))[2])
      }
    }
    expect(faults).toEqual(new Set(['errorCode', 'errorCodeAttempts']))
    // after ten wrong entries of a day the right code is answered like a wrong one
    const last = await codeFor(caller, 'email', freshEmail()).catch(() => null)
    const fresh = freshEmail()
    const code = await codeFor(caller, 'email', fresh)
    expect(last).not.toBeNull()
    expect(faultOf(await verify(caller, 'email', fresh, code))).toEqual([400, 'code', 'errorCode'])
    expect((await contactsOf(caller)).emails).toHaveLength(1)
  })

  test('wins once of thirty at once', async () => {
    const { user, caller } = await ownAccount()
    const value = freshMobile()
    const code = await codeFor(caller, 'mobile', value)
    const answers = await thirty(() => verify(caller, 'mobile', value, code, true))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(['errorCodeExpired', 'errorCodeAttempts', 'tooManyAttempts', 'errorCode']).toContain(
        faultOf(answer)[2] ?? answer.body.code,
      )
    expect((await mainOf(user.id))?.mobile).toBe(value)
    expect((await contactsOf(caller)).mobiles).toHaveLength(2)
  })

  test('thirty guesses at once are compared no oftener than the limit', async () => {
    const { caller } = await ownAccount()
    const value = freshMobile()
    const right = await codeFor(caller, 'mobile', value)
    const guess = (n: number) => {
      const digits = String((Number(right) + 1 + n) % 10_000).padStart(4, '0')
      return verify(caller, 'mobile', value, digits)
    }
    const answers = await thirty(guess)
    const compared = answers.filter((answer) => faultOf(answer)[2] === 'errorCode')
    expect(compared.length).toBeLessThanOrEqual(5)
    expect(answers.every(({ status }) => status !== 200)).toBe(true)
  })

  test('of somebody else’s address: requests and wrong codes answer alike, and only the right code tells', async () => {
    const { caller, user } = await ownAccount()
    const other = await createUser()
    const ask = async (value: string) => {
      await passResend()
      const { status, body } = await caller.send(requestContactCode, { body: { kind: 'email', value } })
      return { status, keys: Object.keys(body).sort(), resendIn: body.resendIn }
    }
    expect(await ask(other.email)).toEqual(await ask(freshEmail()))
    await ask(other.email)
    const code = await lastCodeTo(other.email)
    expect(faultOf(await verify(caller, 'email', other.email, wrong(code), true))).toEqual([400, 'code', 'errorCode'])
    expect(faultOf(await verify(caller, 'email', other.email, code, true))).toEqual([
      400,
      'value',
      'errorEmailRegistered',
    ])
    expect((await mainOf(user.id))?.email).toBe(user.email)
    const mobileCode = await codeFor(caller, 'mobile', other.mobile)
    expect(faultOf(await verify(caller, 'mobile', other.mobile, mobileCode, true))).toEqual([
      400,
      'value',
      'errorMobileRegistered',
    ])
    expect((await contactsOf(caller)).emails).toHaveLength(1)
  })

  test('has the daily limit of the account, over all contacts', async () => {
    const { caller } = await ownAccount()
    const answers = []
    for (let n = 0; n < 12; n++) {
      await passResend()
      answers.push(await caller.send(requestContactCode, { body: { kind: 'email', value: freshEmail() } }))
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'codeDailyLimit' } })
  })

  test('to a mobile isn’t counted while the SMS gateway is down', async () => {
    const { caller } = await ownAccount()
    await redis().set('sms-gateway-down', '1', 'EX', 30)
    const body = { kind: 'mobile', value: freshMobile() }
    for (let n = 0; n < 11; n++)
      expect(await caller.send(requestContactCode, { body })).toMatchObject({
        status: 503,
        body: { code: 'smsUnavailable' },
      })
    await redis().del('sms-gateway-down')
    expect((await caller.send(requestContactCode, { body })).status).toBe(200)
  })

  test('isn’t sent to what is no contact', async () => {
    const { caller } = await ownAccount()
    const ask = async (kind: string, value: string) =>
      faultOf(await caller.send(requestContactCode, { body: { kind, value } }))
    expect(await ask('email', 'nobody')).toEqual([400, 'value', 'errorEmail'])
    expect(await ask('mobile', '12')).toEqual([400, 'value', 'errorMobile'])
    expect(faultOf(await verify(caller, 'email', 'nobody', '1234'))).toEqual([400, 'value', 'errorEmail'])
    expect(faultOf(await verify(caller, 'mobile', '12', '1234'))).toEqual([400, 'value', 'errorMobile'])
  })
})

describe('additional contacts', () => {
  test('are kept with messengers and agreement; a number without its plus gets it', async () => {
    const { user, caller } = await ownAccount()
    const [email, bare] = [freshEmail(), freshMobile().slice(1)]
    const { status } = await save(caller, {
      emails: [
        { value: user.email, main: true, agreement: 'received' },
        { value: email.toUpperCase(), agreement: 'refused' },
      ],
      mobiles: [
        { value: user.mobile, main: true },
        { value: bare, messengers: ['telegram', 'max'] },
      ],
    })
    expect(status).toBe(200)
    expect(await contactsOf(caller)).toMatchObject({
      emails: [
        { value: user.email, agreement: 'received' },
        { value: email, agreement: 'refused', verified: false },
      ],
      mobiles: [
        { value: user.mobile, agreement: 'notReceived' },
        { value: `+${bare}`, messengers: ['telegram', 'max'] },
      ],
    })
    // what is left out goes; the other kind stays
    await save(caller, { emails: [{ value: user.email, main: true }] })
    const after = await contactsOf(caller)
    expect([after.emails.length, after.mobiles.length]).toEqual([1, 2])
  })

  test('are refused twice, as nonsense, too many, or in a locked profile, and then nothing is stored', async () => {
    const { user, caller } = await ownAccount()
    const main = { value: user.email, main: true }
    const ownEmail = freshEmail()
    const tried = async (emails: object[]) => faultOf(await save(caller, { emails }))
    expect(await tried([main, { value: ownEmail }, { value: ownEmail.toUpperCase() }])).toEqual([
      400,
      'contacts.emails.2.value',
      'errorContactTwice',
    ])
    expect(await tried([main, { value: 'x' }])).toEqual([400, 'contacts.emails.1.value', 'errorEmail'])
    expect(faultOf(await save(caller, { mobiles: [{ value: '1', main: true }] }))).toEqual([
      400,
      'contacts.mobiles.0.value',
      'errorMobile',
    ])
    const many = Array.from({ length: 11 }, () => ({ value: freshEmail() }))
    expect(await tried([main, ...many])).toEqual([400, 'contacts.emails', 'errorTooMany'])
    expect((await contactsOf(caller)).emails).toHaveLength(1)
    await db().update(users).set({ isEditable: false }).where(eq(users.id, user.id))
    expect((await save(caller, { emails: [main, { value: ownEmail }] })).body.code).toBe('profileReadOnly')
    expect((await caller.send(requestContactCode, { body: { kind: 'email', value: ownEmail } })).status).toBe(403)
    expect((await contactsOf(caller)).emails).toHaveLength(1)
  })

  test('the eleventh isn’t added by a code either', async () => {
    const { user, caller } = await ownAccount()
    const more = Array.from({ length: 9 }, () => ({ value: freshEmail() }))
    await save(caller, { emails: [{ value: user.email, main: true }, ...more] })
    const value = freshEmail()
    const answer = await verify(caller, 'email', value, await codeFor(caller, 'email', value))
    expect(faultOf(answer)).toEqual([400, 'value', 'errorTooMany'])
  })

  test('two tabs: the second save of one version is told, and nothing is lost', async () => {
    const { user, caller } = await ownAccount()
    const { updatedAt } = (await caller.call(readProfileDetails)).updatedInfo
    const main = { value: user.email, main: true }
    const answers = await thirty(() => save(caller, { emails: [main, { value: freshEmail() }] }, updatedAt))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(29)
    expect((await contactsOf(caller)).emails).toHaveLength(2)
  })

  test('may be another account’s: families share numbers', async () => {
    const { user, caller } = await ownAccount()
    const other = await createUser()
    const mobiles = [{ value: user.mobile, main: true }, { value: other.mobile }]
    expect((await save(caller, { mobiles })).status).toBe(200)
  })
})

describe('an e-mail of a mail domain that a directory claims', () => {
  const claimed = async (wishes: object = {}) => {
    const domain = `${crypto.randomUUID()}.example`
    await createProvider({ emailDomains: [domain.toUpperCase()], ...wishes })
    return `anna@${domain}`
  }
  const codeLeft = async (caller: Caller, value: string, code: string) =>
    (await verify(caller, 'email', value, code)).status

  test('becomes nobody’s main one by a right code, which the refusal doesn’t cost', async () => {
    const { user, caller } = await ownAccount()
    const value = await claimed()
    const code = await codeFor(caller, 'email', value)
    expect(faultOf(await verify(caller, 'email', value, code, true))).toEqual([400, 'value', 'errorEmailOfDirectory'])
    expect((await mainOf(user.id))?.email).toBe(user.email)
    // as a further contact it may stand there
    expect(await codeLeft(caller, value, code)).toBe(200)
  })

  test('nor by a save after the code, whatever its spelling', async () => {
    const { user, caller } = await ownAccount()
    const value = await claimed()
    expect(await codeLeft(caller, value, await codeFor(caller, 'email', value))).toBe(200)
    for (const spelled of [value, value.toUpperCase(), ` ${value} `]) {
      const emails = [{ value: user.email }, { value: spelled, main: true }]
      expect(faultOf(await save(caller, { emails }))).toEqual([400, 'contacts.emails.1.value', 'errorEmailOfDirectory'])
    }
    expect((await mainOf(user.id))?.email).toBe(user.email)
  })

  test('is refused alike whether somebody has it or not, and tells nothing of accounts', async () => {
    const { caller } = await ownAccount()
    const value = await claimed()
    await createUser({ email: value })
    const code = await codeFor(caller, 'email', value)
    expect(faultOf(await verify(caller, 'email', value, code, true))).toEqual([400, 'value', 'errorEmailOfDirectory'])
  })

  test('stays the main one of whoever has it, who may change to another domain', async () => {
    const { user, caller } = await ownAccount()
    await createProvider({ emailDomains: [user.email.slice(user.email.indexOf('@') + 1)], name: 'own' })
    try {
      const emails = [{ value: user.email, main: true, agreement: 'received' }]
      expect((await save(caller, { emails })).status).toBe(200)
      const value = `${crypto.randomUUID()}@elsewhere.example`
      const code = await codeFor(caller, 'email', value)
      expect((await verify(caller, 'email', value, code, true)).status).toBe(200)
    } finally {
      await db().delete(providers).where(eq(providers.name, 'own'))
    }
  })

  test('is anybody’s while the directory is off, and of the domains below', async () => {
    for (const value of [await claimed({ enabled: false }), (await claimed()).replace('@', '@sub.')]) {
      const { user, caller } = await ownAccount()
      const code = await codeFor(caller, 'email', value)
      expect((await verify(caller, 'email', value, code, true)).status).toBe(200)
      expect((await mainOf(user.id))?.email).toBe(value)
    }
  })
})
