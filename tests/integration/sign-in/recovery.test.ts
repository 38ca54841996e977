import { count, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { links, messages, userAgreements, users } from '@/db/schema'
import { syncIdentifiers } from '@/lib/accounts/users/identifiers'
import { redis } from '@/lib/base/redis/redis'
import { Browser } from '../../factories/browser'
import { createAgreement, createDomain, publishVersion } from '../../factories/domains'
import { runJobs } from '../../factories/messages'
import {
  askForLink,
  createProvider,
  linkIn,
  linkStatus,
  mailsTo,
  passResend,
  recoveryLink,
  setByLink,
} from '../../factories/recovery'
import { setSetting } from '../../factories/settings'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const fresh = 'Another-horse-8'
const faultsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.data as { errorList?: { field: string; code: string }[] }).errorList
/** Removes from an answer what always differs. */
const shapeOf = ({ status, body: { requestId: _, ...body }, headers }: Awaited<ReturnType<typeof askForLink>>) => ({
  status,
  body,
  headers: [...headers.keys()].sort(),
})
const messagesCount = async () => (await db().select({ rows: count() }).from(messages))[0]?.rows

describe('requesting a link', () => {
  test('answers the same for a known, an unknown and a disabled account; only the known one gets a mail', async () => {
    const earlier = (await db().select({ id: messages.id }).from(messages)).map(({ id }) => id)
    const existing = await createUser()
    const disabled = await createUser({ enabled: false })
    const answers = []
    for (const email of [existing.email, 'nobody@polaris.example', disabled.email])
      for (const round of ['first', 'again']) {
        const answer = shapeOf(await askForLink(new Browser(), email))
        expect(Number(answer.body.resendIn), round).toBeGreaterThan(58)
        answers.push({ ...answer, body: { resendIn: 60 } })
      }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const [mail, ...more] = await mailsTo(existing.id, 'recoveryLink')
    expect(more).toEqual([])
    expect(mail).toMatchObject({ recipient: existing.email, status: 'sent' })
    expect(linkIn(mail?.text ?? '')).toMatchObject({ origin: 'http://localhost:3000', id: expect.any(String) })
    const rest = (await db().select().from(messages)).filter(({ id }) => !earlier.includes(id))
    expect(rest.filter(({ recipient }) => recipient !== existing.email)).toEqual([])
  })

  test('twice at once: one link, one mail', async () => {
    const user = await createUser()
    const browser = new Browser()
    const answers = await Promise.all(Array.from({ length: 10 }, () => askForLink(browser.copy(), user.email)))
    for (const { status } of answers) expect(status).toBe(200)
    expect(await mailsTo(user.id, 'recoveryLink')).toHaveLength(1)
    expect(await db().select().from(links).where(eq(links.userId, user.id))).toHaveLength(1)
  })

  test('is limited per day for each e-mail, known or not, then 429 for 24 hours, even if Redis loses its data', async () => {
    await setSetting('passwordRefreshAttempts', 2)
    const user = await createUser()
    const shapes = []
    for (const email of [user.email, 'somebody@nowhere.example']) {
      for (const n of [1, 2]) {
        await passResend()
        expect((await askForLink(new Browser(), email)).status, `${email} ${n}`).toBe(200)
      }
      await redis().flushdb()
      const refused = await askForLink(new Browser(), email)
      expect(refused).toMatchObject({ status: 429, body: { code: 'recoveryDailyLimit' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
      expect((await askForLink(new Browser(), email)).status).toBe(429)
      shapes.push(shapeOf(refused))
    }
    expect(shapes[0]).toEqual(shapes[1])
    expect(await mailsTo(user.id, 'recoveryLink')).toHaveLength(2)
    await setSetting('passwordRefreshAttempts', 5)
  })

  test('is limited by address', async () => {
    const browser = new Browser()
    const statuses = []
    for (let n = 0; n < 61; n++) statuses.push((await askForLink(browser, `n${n}@nowhere.example`)).status)
    expect(statuses).toEqual([...Array(60).fill(200), 429])
  })

  test('refuses an e-mail that isn’t plain, and writes nothing (docs/quality.md#s8)', async () => {
    const user = await createUser()
    const [local, domain] = user.email.split('@')
    const before = await messagesCount()
    for (const email of [
      `"${local}"@${domain}`,
      `${user.email},thief@evil.example`,
      `${user.email}, thief@evil.example`,
      `thief@evil.example,${user.email}`,
      `${local}\uff20${domain}`,
      `${local}@${domain}\u3001thief@evil.example`,
      `${user.email} thief@evil.example`,
      `<${user.email}>`,
      'plain',
      `${'x'.repeat(300)}@${domain}`,
    ])
      expect(faultsOf(await askForLink(new Browser(), email)), email).toEqual([{ field: 'email', code: 'errorEmail' }])
    for (const email of [`${user.email}\r\nBcc: thief@evil.example`, `${user.email}\u0000`, `\u202e${user.email}`])
      expect(faultsOf(await askForLink(new Browser(), email)), email).toEqual([{ field: 'email', code: 'errorChars' }])
    expect(faultsOf(await askForLink(new Browser(), ' '))).toEqual([{ field: 'email', code: 'errorEmpty' }])
    await runJobs()
    expect(await messagesCount()).toBe(before)
  })

  test('ignores a forged Host or X-Forwarded-Host: the link has the domain’s own address (docs/quality.md#s8)', async () => {
    const user = await createUser()
    const forged: Record<string, string>[] = [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
    ]
    for (const headers of forged) {
      await passResend()
      await askForLink(new Browser(), user.email, headers)
      const [mail] = await mailsTo(user.id, 'recoveryLink')
      expect(linkIn(mail?.text ?? '').origin).toBe('http://localhost:3000')
      expect(mail?.text).not.toContain('evil')
    }
    const host = await createDomain()
    await passResend()
    await askForLink(new Browser(host), user.email)
    expect(linkIn((await mailsTo(user.id, 'recoveryLink'))[0]?.text ?? '').origin).toBe(`http://${host}:3000`)
  })

  test('answers 405 for a mail domain that an enabled directory claims, and writes to accounts that it doesn’t keep', async () => {
    const { id: providerId } = await createProvider({ emailDomains: ['Claimed.example'] })
    await createProvider({ emailDomains: ['off.example'], enabled: false })
    const local = await createUser({ email: 'local@claimed.example' })
    const member = await createUser({ email: 'member@claimed.example', providerId, passwordHash: null })
    const answers = []
    for (const email of [local.email, local.email, member.email, 'nobody@claimed.example', 'NOBODY@CLAIMED.example']) {
      const answer = shapeOf(await askForLink(new Browser(), email))
      expect(answer).toMatchObject({ status: 405, body: { code: 'directoryAccount' } })
      answers.push(answer)
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect((await askForLink(new Browser(), 'nobody@sub.claimed.example')).status).toBe(200)
    expect((await askForLink(new Browser(), 'nobody@off.example')).status).toBe(200)
    expect(await mailsTo(member.id, 'recoveryLink')).toEqual([])
    const [mail, ...more] = await mailsTo(local.id, 'recoveryLink')
    expect(more).toEqual([])
    expect((await setByLink(new Browser(), linkIn(mail?.text ?? '').id, fresh)).status).toBe(200)
    expect((await signInByPassword(new Browser(), local.login, fresh)).status).toBe(200)
  })

  test('by a directory account elsewhere sends a mail that says where its password is changed', async () => {
    const { id: providerId, name } = await createProvider()
    const user = await createUser({ providerId, passwordHash: null })
    expect((await askForLink(new Browser(), user.email)).status).toBe(200)
    const [mail] = await mailsTo(user.id, 'recoveryDirectory')
    expect(mail?.text).toContain('https://sso.directory.example/realms/staff/account')
    expect(name).toBeTruthy()
    expect(await mailsTo(user.id, 'recoveryLink')).toEqual([])
    expect(await db().select().from(links).where(eq(links.userId, user.id))).toEqual([])
  })

  test('for several accounts of one e-mail sends a link to each', async () => {
    await setSetting('identificationEmail', false)
    const one = await createUser()
    const other = await createUser({ email: one.email.toUpperCase() })
    await db().transaction((tx) => syncIdentifiers(tx, 'all'))
    await askForLink(new Browser(), one.email)
    const ids = []
    for (const { id } of [one, other]) {
      const [mail, ...more] = await mailsTo(id, 'recoveryLink')
      expect(more).toEqual([])
      ids.push(linkIn(mail?.text ?? '').id)
    }
    expect(new Set(ids).size).toBe(2)
    expect((await setByLink(new Browser(), ids[1] ?? '', fresh)).status).toBe(200)
    expect((await signInByPassword(new Browser(), other.login, fresh)).status).toBe(200)
    expect((await signInByPassword(new Browser(), one.login, password)).status).toBe(200)
    await db().delete(users).where(eq(users.id, other.id))
    await setSetting('identificationEmail', true)
    await db().transaction((tx) => syncIdentifiers(tx, 'all'))
  })

  test('neither a table nor Redis contains the id of a link (docs/quality.md#s3)', async () => {
    const user = await createUser()
    const id = await recoveryLink(new Browser(), user)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    await setByLink(new Browser(), id, fresh)
    const { rows: tables } = await db().execute<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
    )
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables)
      for (const form of [id, id.replaceAll('-', ''), fresh]) {
        const { rows } = await db().execute(`select 1 from ${name} as t where t::text ilike '%${form}%'`)
        expect(rows, `${name} ${form}`).toEqual([])
      }
    expect((await redis().keys('*')).join(' ')).not.toContain(id)
  })
})

describe('the link', () => {
  test('unknown, valid, opened any number of times, canceled by a newer one, expired, used', async () => {
    const user = await createUser()
    const browser = new Browser()
    expect((await linkStatus(browser, crypto.randomUUID())).status).toBe(404)
    const older = await recoveryLink(browser, user)
    // a mail scanner opens the link first, then the person in two tabs
    for (let n = 0; n < 5; n++) expect(await linkStatus(new Browser(), older)).toMatchObject({ status: 200, body: {} })
    expect((await linkStatus(browser, older.toUpperCase())).status).toBe(200)
    const newer = await recoveryLink(browser, user)
    const canceled = { status: 403, body: { code: 'canceledError', data: { expired: false } } }
    expect(await linkStatus(browser, older)).toMatchObject(canceled)
    expect(await setByLink(browser, older, fresh)).toMatchObject(canceled)

    await db()
      .update(links)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(links.userId, user.id))
    const expired = { status: 403, body: { code: 'canceledError', data: { expired: true } } }
    expect(await linkStatus(browser, newer)).toMatchObject(expired)
    expect(await setByLink(browser, newer, fresh)).toMatchObject(expired)
    // what a newer one replaced stays that
    expect(await linkStatus(browser, older)).toMatchObject(canceled)

    const used = await recoveryLink(browser, user)
    expect((await setByLink(browser, used, fresh)).status).toBe(200)
    for (const answer of [await linkStatus(browser, used), await setByLink(browser, used, 'Third-horse-9')])
      expect(answer).toMatchObject({ status: 400, body: { code: 'linkUsed', data: {} } })
    expect((await signInByPassword(new Browser(), user.login, fresh)).status).toBe(200)
  })

  test('with another account signed in gets accessError and changes nothing; its own person may continue', async () => {
    const user = await createUser()
    const id = await recoveryLink(new Browser(), user)
    const stranger = new Browser()
    await signInByPassword(stranger, (await createUser()).login, password)
    const refused = { status: 403, body: { code: 'accessError' } }
    expect(await linkStatus(stranger, id)).toMatchObject(refused)
    expect(await setByLink(stranger, id, fresh)).toMatchObject(refused)
    const ownBrowser = new Browser()
    await signInByPassword(ownBrowser, user.login, password)
    expect((await linkStatus(ownBrowser, id)).status).toBe(200)
    expect((await setByLink(ownBrowser, id, fresh)).status).toBe(200)
    // the old session has ended, and a new one begins by the new password
    expect(await signedInStatus(ownBrowser)).toBe(200)
  })

  test('dies with its account, and when a directory takes the account over; a first-entry link isn’t one', async () => {
    const user = await createUser()
    const id = await recoveryLink(new Browser(), user)
    const canceled = { status: 403, body: { code: 'canceledError', data: { expired: false } } }
    await db().update(users).set({ enabled: false }).where(eq(users.id, user.id))
    expect(await setByLink(new Browser(), id, fresh)).toMatchObject(canceled)
    const { id: providerId } = await createProvider()
    await db().update(users).set({ enabled: true, providerId }).where(eq(users.id, user.id))
    expect(await linkStatus(new Browser(), id)).toMatchObject(canceled)
    const newcomer = await createUser({ passwordChangeRequired: true })
    const { body } = await signInByPassword(new Browser(), newcomer.login, password)
    expect((await linkStatus(new Browser(), String(body.setPassword))).status).toBe(404)
  })

  test('requires the agreements of the domain first: 403 with the list, then they are sent with the password', async () => {
    const agreement = await createAgreement()
    const host = await createDomain({ agreement })
    const user = await createUser()
    const browser = new Browser(host)
    const id = await recoveryLink(browser, user)
    const asked = {
      status: 403,
      body: { code: 'termsRequired', data: { termsRequired: [{ id: agreement, version: 1 }] } },
    }
    expect(await linkStatus(browser, id)).toMatchObject(asked)
    expect(await setByLink(browser, id, fresh)).toMatchObject(asked)
    await publishVersion(agreement, 2)
    const agree = (version: number) =>
      setByLink(browser, id, fresh, { termsAgree: [{ type: agreement, agree: true, version }] })
    expect((await agree(1)).body.code).toBe('termsRequired')
    expect((await signInByPassword(new Browser(), user.login, fresh)).status).toBe(400)
    expect((await agree(2)).status).toBe(200)
    expect(await db().select().from(userAgreements).where(eq(userAgreements.userId, user.id))).toMatchObject([
      { documentId: agreement, version: 2, ip: browser.ip },
    ])
    expect((await signInByPassword(browser, user.login, fresh)).body).toMatchObject({ next: 'done' })
  })
})
