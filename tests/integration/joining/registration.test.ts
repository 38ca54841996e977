import { and, count, eq, like, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  dynamicFields,
  history,
  messages,
  sessions,
  userAgreements,
  userIdentifiers,
  userRoles,
  users,
} from '@/db/schema'
import { outsideTransaction } from '@/db/scope'
import { dropCached } from '@/lib/base/cache/cache'
import { onEvent } from '@/lib/base/events/handlers'
import { Browser } from '../../factories/browser'
import { createAgreement, createDomain, publishVersion } from '../../factories/domains'
import { lastCodeTo, lastMessageTo, runJobs } from '../../factories/messages'
import {
  askLink,
  askMobileCode,
  finish,
  linkSentTo,
  linkStatus,
  newEmail,
  newMobile,
  newPassword,
  passResend,
  proveMobileOf,
  startRegistration,
  verifyMobile,
} from '../../factories/registration'
import { setSetting } from '../../factories/settings'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const accountOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0]
const messagesTo = (recipient: string) => db().select().from(messages).where(eq(messages.recipient, recipient))
const setField = async (code: string, values: Partial<typeof dynamicFields.$inferInsert>) => {
  await db()
    .update(dynamicFields)
    .set(values)
    .where(and(eq(dynamicFields.type, 'users'), eq(dynamicFields.code, code)))
  dropCached('dynamic-fields')
}

describe('registering', () => {
  test('by link, mobile, code and password creates an account with its history, and signs in', async () => {
    const browser = new Browser()
    const asked = await askLink(browser, ' Olga.K@Polaris.example ', { fio: ' Ковалёва  Ольга Игоревна ' })
    expect(asked).toMatchObject({ status: 200, body: { resendIn: 60 } })
    const email = 'olga.k@polaris.example'
    const mail = await lastMessageTo(email)
    expect(mail).toMatchObject({ template: 'registrationLink', status: 'sent', userId: null, locale: 'ru' })
    const secret = await linkSentTo(email)

    // scanners open links first, and more than once
    for (let n = 0; n < 3; n++) expect(await linkStatus(new Browser(), secret)).toMatchObject({ status: 200, body: {} })
    const mobile = newMobile()
    expect(await askMobileCode(browser, secret, mobile)).toMatchObject({
      status: 200,
      body: { resendIn: 60, endTime: expect.stringMatching(/Z$/) },
    })
    const digits = await lastCodeTo(mobile)
    expect((await messagesTo(mobile))[0]).toMatchObject({ kind: 'sms', template: 'mobileCode' })
    expect(await verifyMobile(browser, secret, mobile, digits)).toMatchObject({ status: 200, body: {} })
    expect(await accountOf(email)).toBeUndefined()

    const done = await finish(browser, secret, { mobile })
    expect(done).toMatchObject({ status: 200, body: { next: 'done', redirect: '/platform/profile' } })
    expect(await signedInStatus(browser)).toBe(200)
    const account = await accountOf(email)
    expect(account).toMatchObject({
      login: email,
      mobile,
      fio: 'Ковалёва Ольга Игоревна',
      lastName: 'Ковалёва',
      firstName: 'Ольга',
      middleName: 'Игоревна',
      locale: 'ru',
      enabled: true,
      emailVerifiedAt: expect.any(Date),
      mobileVerifiedAt: expect.any(Date),
      passwordHash: expect.stringContaining('$argon2id$'),
    })
    const id = account?.id ?? ''
    expect(await db().select().from(userRoles).where(eq(userRoles.userId, id))).toHaveLength(1)
    const changes = await db().select().from(history).where(eq(history.entityId, id))
    expect(changes.filter(({ type }) => type === 'login')).toHaveLength(1)
    expect(changes.find(({ field }) => field === 'email')).toMatchObject({
      type: 'create',
      current: email,
      changerId: id,
    })
    expect(changes.find(({ field }) => field === 'password')).toMatchObject({ previous: null, current: '***' })
    expect(changes.find(({ field }) => field === 'locale')).toMatchObject({ previous: null, current: 'ru' })
    expect(JSON.stringify(changes)).not.toContain(newPassword)
    expect(await lastMessageTo(email)).toMatchObject({ template: 'registrationDone', userId: id })
    // the new account can sign in
    for (const [kind, identifier] of [
      ['email', email],
      ['login', email],
      ['mobile', mobile],
    ] as const)
      expect((await signInByPassword(new Browser(), identifier, newPassword, kind)).body).toMatchObject({
        next: 'done',
      })
    expect(await linkStatus(new Browser(), secret)).toMatchObject({ status: 400, body: { code: 'linkUsed' } })
    expect(await finish(new Browser(), secret)).toMatchObject({ status: 409, body: { code: 'linkUsed' } })
  })

  test('notifies other modules in the same transaction', async () => {
    const heard: unknown[] = []
    onEvent('accountCreated', async (tx, _, event) => {
      const [row] = await tx.select().from(users).where(eq(users.id, event.userId))
      const committed = await outsideTransaction(() => accountOf(event.email))
      heard.push({ email: event.email, there: row?.email === event.email, committed })
      return async () => void heard.push('after')
    })
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    expect((await finish(browser, secret)).status).toBe(200)
    expect(heard).toEqual([{ email, there: true, committed: undefined }, 'after'])
  })

  test('with three names follows the settings of the fields', async () => {
    await setSetting('useUserFio', false)
    await setField('middleName', { profileVisible: false })
    await setField('mobile', { profileRequired: true })
    const browser = new Browser()
    const email = newEmail()
    const ask = (body: Record<string, unknown>) => askLink(browser, email, { fio: undefined, ...body })
    expect(await ask({ firstName: ' ', middleName: 'Игоревна' })).toMatchObject({
      status: 400,
      body: {
        data: {
          errorList: [
            { field: 'lastName', code: 'errorEmpty' },
            { field: 'firstName', code: 'errorEmpty' },
            { field: 'middleName', code: 'errorUnknownField' },
          ],
        },
      },
    })
    // the parts of the name win over a full name
    expect((await ask({ firstName: 'Ольга', lastName: 'Ковалёва', fio: 'К' })).status).toBe(200)
    const secret = await linkSentTo(email)
    expect(await finish(browser, secret)).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'mobile', code: 'errorEmpty' }] } },
    })
    const mobile = await proveMobileOf(browser, secret)
    await setField('mobile', { profileRequired: false, profileVisible: false })
    expect((await finish(browser, secret, { mobile })).body.data).toEqual({
      errorList: [{ field: 'mobile', code: 'errorUnknownField' }],
    })
    expect((await askMobileCode(browser, secret, mobile)).body.data).toEqual({
      errorList: [{ field: 'mobile', code: 'errorUnknownField' }],
    })
    expect((await finish(browser, secret)).status).toBe(200)
    expect(await accountOf(email)).toMatchObject({ fio: 'Ковалёва Ольга', middleName: '', mobile: null })
    await setSetting('useUserFio', true)
    await setField('middleName', { profileVisible: true })
    await setField('mobile', { profileVisible: true })
  })

  test('reports all wrong fields at once', async () => {
    const agreement = await createAgreement()
    const host = await createDomain({ agreement })
    expect(await askLink(new Browser(host), 'no address', { fio: '\u202e ' })).toMatchObject({
      status: 400,
      body: {
        code: 'errorFields',
        data: {
          termsRequired: [{ id: agreement, version: 1 }],
          errorList: [
            { field: 'fio', code: 'errorEmpty' },
            { field: 'email', code: 'errorEmail' },
            { field: `termsAgree.${agreement}`, code: 'errorEmpty' },
          ],
        },
      },
    })
    const browser = new Browser()
    const { secret } = await startRegistration(browser)
    expect((await finish(browser, secret, { password: 'short', repeatPassword: 'other', mobile: '12' })).body).toEqual(
      expect.objectContaining({
        code: 'errorFields',
        data: {
          errorList: expect.arrayContaining([
            { field: 'password', code: 'errorPasswordRules' },
            { field: 'repeatPassword', code: 'errorMatch' },
            { field: 'mobile', code: 'errorMobile' },
          ]),
        },
      }),
    )
  })
})

describe('agreements', () => {
  const agree = (type: string, version: number) => ({ termsAgree: [{ type, agree: true, version }] })

  test('of the first step are stored with the account', async () => {
    const agreement = await createAgreement()
    const browser = new Browser(await createDomain({ agreement }))
    const { email, secret } = await startRegistration(browser, newEmail(), agree(agreement, 1))
    expect((await finish(browser, secret)).status).toBe(200)
    const [row] = await db().select().from(userAgreements).where(eq(userAgreements.documentId, agreement))
    expect(row).toMatchObject({ userId: (await accountOf(email))?.id, version: 1, ip: browser.ip })
  })

  test('that changed since are asked for in the second step', async () => {
    const agreement = await createAgreement()
    const browser = new Browser(await createDomain({ agreement }))
    const { email, secret } = await startRegistration(browser, newEmail(), agree(agreement, 1))
    await publishVersion(agreement, 2)
    const asks = {
      status: 403,
      body: { code: 'termsRequired', data: { termsRequired: [{ id: agreement, version: 2 }] } },
    }
    expect(await linkStatus(browser, secret)).toMatchObject(asks)
    expect(await finish(browser, secret)).toMatchObject(asks)
    expect(await finish(browser, secret, agree(agreement, 1))).toMatchObject(asks)
    expect(await accountOf(email)).toBeUndefined()
    expect((await finish(browser, secret, agree(agreement, 2))).status).toBe(200)
    expect(await db().select().from(userAgreements).where(eq(userAgreements.documentId, agreement))).toMatchObject([
      { version: 2 },
    ])
  })
})

describe('completing', () => {
  test('50 times at once creates one account and one session; the others get 409 (docs/quality.md#r10)', async () => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    const answers = await Promise.all(Array.from({ length: 50 }, () => finish(browser.copy(), secret)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(409)])
    const accounts = await db().select().from(users).where(eq(users.email, email))
    expect(accounts).toHaveLength(1)
    const id = accounts[0]?.id ?? ''
    expect(await db().select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(1)
    await runJobs()
    expect((await messagesTo(email)).filter(({ template }) => template === 'registrationDone')).toHaveLength(1)
  })

  test('of parallel registrations with one mobile succeeds once', async () => {
    const mobile = newMobile()
    const parts: { browser: Browser; secret: string }[] = []
    for (const browser of [new Browser(), new Browser()]) {
      const { secret } = await startRegistration(browser)
      parts.push({ browser, secret })
      await passResend()
      await proveMobileOf(browser, secret, mobile)
    }
    const answers = await Promise.all(parts.map(({ browser, secret }) => finish(browser, secret, { mobile })))
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    expect(await db().select().from(users).where(eq(users.mobile, mobile))).toHaveLength(1)
  })

  test('with an e-mail that is another’s login gets another login', async () => {
    const email = newEmail()
    await createUser({ login: email, email: newEmail() })
    const browser = new Browser()
    const { secret } = await startRegistration(browser, email)
    expect((await finish(browser, secret)).status).toBe(200)
    expect(await accountOf(email)).toMatchObject({ login: `${email}-2` })
  })

  test('leaves no password, code or link id in any table (docs/quality.md#s3)', async () => {
    await setSetting('authCodeDigits', 8)
    const browser = new Browser()
    const email = newEmail()
    await askLink(browser, email)
    const absent = async (...hidden: string[]) => {
      const { rows: tables } = await db().execute<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
      )
      expect(tables.length).toBeGreaterThan(20)
      for (const { name } of tables)
        for (const text of hidden) {
          const query = sql`select 1 from ${sql.raw(name)} as t where t::text like ${`%${text}%`}`
          expect((await db().execute(query)).rows, name).toEqual([])
        }
    }
    // not even who requested it, while the job waits
    await absent(email)
    const secret = await linkSentTo(email)
    const mobile = newMobile()
    await askMobileCode(browser, secret, mobile)
    const digits = await lastCodeTo(mobile)
    await verifyMobile(browser, secret, mobile, digits)
    await finish(browser, secret, { mobile })
    await absent(secret, digits, newPassword)
    await setSetting('authCodeDigits', 4)
  })
})

describe('a registration that is abandoned', () => {
  test('at any step leaves no user, can’t skip a step, and can be started again', async () => {
    const browser = new Browser()
    const email = newEmail()
    const nobody = async () => {
      expect(await accountOf(email)).toBeUndefined()
      const [row] = await db()
        .select({ rows: count() })
        .from(userIdentifiers)
        .where(like(userIdentifiers.value, `${email}%`))
      expect(row?.rows).toBe(0)
      expect(await signedInStatus(browser)).toBe(401)
    }
    // a skipped step is refused and creates nothing (docs/quality.md#s4)
    expect((await finish(browser, crypto.randomUUID())).status).toBe(404)
    await askLink(browser, email)
    await nobody()
    const first = await linkSentTo(email)
    await nobody()
    const mobile = newMobile()
    expect((await verifyMobile(browser, first, mobile, '0000')).body.code).toBe('errorCodeExpired')
    expect((await finish(browser, first, { mobile })).status).toBe(400)
    await askMobileCode(browser, first, mobile)
    expect((await finish(browser, first, { mobile })).status).toBe(400)
    await nobody()
    await verifyMobile(browser, first, mobile, await lastCodeTo(mobile))
    await nobody()

    await passResend()
    const { secret } = await startRegistration(browser, email)
    expect(secret).not.toBe(first)
    for (const answer of [await linkStatus(browser, first), await finish(browser, first, { mobile })])
      expect(answer).toMatchObject({ status: 403, body: { code: 'canceledError', data: { expired: false } } })
    // a proof of the first registration isn't valid for the second
    expect((await finish(browser, secret, { mobile })).status).toBe(400)
    await nobody()
    await passResend()
    await proveMobileOf(browser, secret, mobile)
    expect((await finish(browser, secret, { mobile })).status).toBe(200)
  })
})

test('by a link that can’t be finished costs only a limited number of hashes', async () => {
  const browser = new Browser()
  const [mobile, first, second] = [newMobile(), newEmail(), newEmail()]
  const { secret: firstSecret } = await startRegistration(browser, first)
  await proveMobileOf(browser, firstSecret, mobile)
  await passResend()
  const { secret: done } = await startRegistration(browser, second)
  await proveMobileOf(browser, done, mobile)
  expect((await finish(new Browser(), done, { mobile })).status).toBe(200)
  const answers: number[] = []
  for (let n = 0; n < 101; n++) answers.push((await finish(new Browser(), firstSecret, { mobile })).status)
  expect(new Set(answers.slice(0, 100))).toEqual(new Set([400]))
  expect(answers.at(-1)).toBe(429)
}, 60_000)
