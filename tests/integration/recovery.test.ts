import { count, eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { PUT as putEntry } from '@/app/api/v1/platform/password/entry/[id]/route'
import { db } from '@/db/client'
import { history, links, messages, passwordHistory, sessions, userAgreements, users } from '@/db/schema'
import { apart } from '@/db/scope'
import { createLink } from '@/lib/entry/links/service'
import { redis } from '@/lib/kernel/redis'
import { syncIdentifiers } from '@/lib/people/users/identifiers'
import { Browser } from '../factories/browser'
import { createContext } from '../factories/context'
import { createAgreement, createDomain, publishVersion } from '../factories/domains'
import { runJobs } from '../factories/messages'
import {
  askForLink,
  createProvider,
  linkIn,
  linkStatus,
  mailsTo,
  passResend,
  recoveryLink,
  setByLink,
} from '../factories/recovery'
import { setSetting } from '../factories/settings'
import { begin, prove, signedInStatus, signInByPassword } from '../factories/sign-in'
import { createUser, password } from '../factories/users'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

const fresh = 'Another-horse-8'
const faultsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.data as { errorList?: { field: string; code: string }[] }).errorList
/** An answer without what differs between any two. */
const shapeOf = ({ status, body: { requestId: _, ...body }, headers }: Awaited<ReturnType<typeof askForLink>>) => ({
  status,
  body,
  headers: [...headers.keys()].sort(),
})
const messagesCount = async () => (await db().select({ rows: count() }).from(messages))[0]?.rows

describe('asking for a link', () => {
  test('one answer for a known, an unknown and a disabled account; only the known one gets a mail', async () => {
    const known = await createUser()
    const disabled = await createUser({ enabled: false })
    const answers = []
    for (const email of [known.email, 'nobody@polaris.example', disabled.email])
      for (const round of ['first', 'again']) {
        const answer = shapeOf(await askForLink(new Browser(), email))
        expect(Number(answer.body.resendIn), round).toBeGreaterThan(58)
        answers.push({ ...answer, body: { resendIn: 60 } })
      }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const [mail, ...more] = await mailsTo(known.id, 'recoveryLink')
    expect(more).toEqual([])
    expect(mail).toMatchObject({ recipient: known.email, status: 'sent' })
    expect(linkIn(mail?.text ?? '')).toMatchObject({ origin: 'http://localhost:3000', id: expect.any(String) })
    const rest = await db().select().from(messages)
    expect(rest.filter(({ recipient }) => recipient !== known.email)).toEqual([])
  })

  test('asked twice at once: one link, one mail', async () => {
    const user = await createUser()
    const browser = new Browser()
    const answers = await Promise.all(Array.from({ length: 10 }, () => askForLink(browser.copy(), user.email)))
    for (const { status } of answers) expect(status).toBe(200)
    expect(await mailsTo(user.id, 'recoveryLink')).toHaveLength(1)
    expect(await db().select().from(links).where(eq(links.userId, user.id))).toHaveLength(1)
  })

  test('so many a day for each e-mail, known or not, then 429 for 24 hours, though Redis forgets', async () => {
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

  test('so many from one address', async () => {
    const browser = new Browser()
    const statuses = []
    for (let n = 0; n < 61; n++) statuses.push((await askForLink(browser, `n${n}@nowhere.example`)).status)
    expect(statuses).toEqual([...Array(60).fill(200), 429])
  })

  test('what is no plain e-mail is refused and writes nothing (docs/quality.md#s8)', async () => {
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

  test('a forged Host or X-Forwarded-Host reaches no mail: the link is the domain’s own (docs/quality.md#s8)', async () => {
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

  test('405 for a mail domain that an enabled directory claims, account or none', async () => {
    await createProvider({ emailDomains: ['Claimed.example'] })
    await createProvider({ emailDomains: ['off.example'], enabled: false })
    const member = await createUser({ email: 'member@claimed.example' })
    const answers = []
    for (const email of [member.email, 'nobody@claimed.example', 'NOBODY@CLAIMED.example']) {
      const answer = shapeOf(await askForLink(new Browser(), email))
      expect(answer).toMatchObject({ status: 405, body: { code: 'directoryAccount' } })
      answers.push(answer)
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect((await askForLink(new Browser(), 'nobody@sub.claimed.example')).status).toBe(200)
    expect((await askForLink(new Browser(), 'nobody@off.example')).status).toBe(200)
    expect(await mailsTo(member.id, 'recoveryLink')).toEqual([])
  })

  test('a directory account elsewhere gets a mail that says where its password is changed', async () => {
    const { id: providerId, name } = await createProvider()
    const user = await createUser({ providerId, passwordHash: null })
    expect((await askForLink(new Browser(), user.email)).status).toBe(200)
    const [mail] = await mailsTo(user.id, 'recoveryDirectory')
    expect(mail?.text).toContain('https://sso.directory.example/realms/staff/account')
    expect(name).toBeTruthy()
    expect(await mailsTo(user.id, 'recoveryLink')).toEqual([])
    expect(await db().select().from(links).where(eq(links.userId, user.id))).toEqual([])
  })

  test('several accounts of one e-mail get a link each', async () => {
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

  test('the id of a link stands in no table, and in Redis neither (docs/quality.md#s3)', async () => {
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
  test('unknown, live, opened any number of times, canceled by a newer one, expired, used', async () => {
    const user = await createUser()
    const browser = new Browser()
    expect((await linkStatus(browser, crypto.randomUUID())).status).toBe(404)
    const older = await recoveryLink(browser, user)
    // a mail scanner opens it first, then the person, in two tabs
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

    const used = await recoveryLink(browser, user)
    expect((await setByLink(browser, used, fresh)).status).toBe(200)
    for (const answer of [await linkStatus(browser, used), await setByLink(browser, used, 'Third-horse-9')])
      expect(answer).toMatchObject({ status: 400, body: { code: 'linkUsed', data: {} } })
    expect((await signInByPassword(new Browser(), user.login, fresh)).status).toBe(200)
  })

  test('somebody else signed in: accessError, and nothing happens; its own person may go on', async () => {
    const user = await createUser()
    const id = await recoveryLink(new Browser(), user)
    const stranger = new Browser()
    await signInByPassword(stranger, (await createUser()).login, password)
    const refused = { status: 403, body: { code: 'accessError' } }
    expect(await linkStatus(stranger, id)).toMatchObject(refused)
    expect(await setByLink(stranger, id, fresh)).toMatchObject(refused)
    const own = new Browser()
    await signInByPassword(own, user.login, password)
    expect((await linkStatus(own, id)).status).toBe(200)
    expect((await setByLink(own, id, fresh)).status).toBe(200)
    expect(await signedInStatus(own)).toBe(401)
    expect(own.cookies.has('platform-session')).toBe(false)
  })

  test('dies with its account, and when a directory takes that over; a first-entry link is none', async () => {
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

  test('agreements of the domain come first: 403 with the list, then agreed to with the password', async () => {
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

describe('the new password', () => {
  test('ends every session, lifts the limit on wrong passwords, says so by one mail, signs nobody in (docs/quality.md#s7)', async () => {
    const user = await createUser({ passwordChangeRequired: true })
    await db().update(users).set({ passwordChangeRequired: false }).where(eq(users.id, user.id))
    const [home, work] = [new Browser(), new Browser()]
    for (const browser of [home, work]) await signInByPassword(browser, user.login, password)
    await db().update(users).set({ passwordChangeRequired: true }).where(eq(users.id, user.id))
    const browser = new Browser()
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await signInByPassword(browser, user.login, 'wrong')).status)
    expect(statuses.at(-1)).toBe(429)

    const id = await recoveryLink(browser, user)
    expect(await setByLink(browser, id, fresh)).toMatchObject({
      status: 200,
      body: { next: 'done', redirect: '/platform/login' },
    })
    for (const each of [home, work, browser]) expect(await signedInStatus(each)).toBe(401)
    const rows = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    expect(rows.map(({ endReason }) => endReason)).toEqual(['passwordChanged', 'passwordChanged'])
    expect(await mailsTo(user.id, 'passwordChanged')).toMatchObject([{ recipient: user.email, status: 'sent' }])
    const told = (await db().select().from(history).where(eq(history.entityId, user.id))).filter(
      ({ field }) => field === 'password',
    )
    expect(told).toMatchObject([
      { type: 'update', previous: '***', current: '***', changerId: user.id, ip: browser.ip },
    ])
    expect((await signInByPassword(browser, user.login, fresh)).body).toMatchObject({ next: 'done' })
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(400)
  })

  test('ends sign-ins that have proven the old password and wait for something else', async () => {
    const agreement = await createAgreement()
    const host = await createDomain({ agreement })
    const user = await createUser()
    const thief = new Browser(host)
    expect((await signInByPassword(thief, user.login, password)).body.code).toBe('termsRequired')
    const owner = new Browser()
    await begin(owner, user.login)
    await setByLink(owner, await recoveryLink(owner, user), fresh)
    const termsAgree = [{ type: agreement, agree: true, version: 1 }]
    expect((await prove(thief, user.login, { termsAgree })).body).toMatchObject({ data: { expired: true } })
    expect(await signedInStatus(thief)).toBe(401)
    // the owner's own, which has proven nothing, goes on
    expect((await prove(owner, user.login, { password: fresh })).body).toMatchObject({ next: 'done' })
  })

  test('of 50 parallel tries with one link one wins, the others get 409; one mail (docs/quality.md#r10, docs/quality.md#r11)', async () => {
    const user = await createUser()
    const id = await recoveryLink(new Browser(), user)
    const passwords = Array.from({ length: 50 }, (_, n) => `Parallel-horse-${n}x`)
    const answers = await Promise.all(passwords.map((each) => setByLink(new Browser(), id, each)))
    const won = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
    expect(won).toHaveLength(1)
    for (const [n, { status, body }] of answers.entries())
      if (n !== won[0]) expect([`409 conflict`, '400 linkUsed']).toContain(`${status} ${body.code}`)
    expect(answers.some(({ status }) => status === 409)).toBe(true)
    expect(await mailsTo(user.id, 'passwordChanged')).toHaveLength(1)
    expect((await signInByPassword(new Browser(), user.login, passwords[won[0] ?? 0] ?? '')).status).toBe(200)
  })

  test('must satisfy the rules and match; is no leaked, personal or recent one; the link stays live (docs/quality.md#s6)', async () => {
    const user = await createUser({ lastName: 'Звягинцева', login: 'zvyagintseva.anna' })
    const browser = new Browser()
    const id = await recoveryLink(browser, user)
    const faults = async (value: string, repeatPassword = value) =>
      faultsOf(await setByLink(browser, id, value, { repeatPassword }))
    const only = (code: string) => [{ field: 'password', code }]
    expect(await faults('')).toContainEqual({ field: 'password', code: 'errorEmpty' })
    expect(await faults('Short-1')).toEqual(only('errorPasswordRules'))
    expect(await faults('nouppercase-1')).toEqual(only('errorPasswordRules'))
    for (const leaked of ['Password-1', 'P@ssw0rd2026!', 'Qwerty-12345', 'Пароль-2026'])
      expect(await faults(leaked), leaked).toEqual(only('errorPasswordBreached'))
    for (const own of ['Звягинцева-26', 'Zvyagintseva-1', `${user.email}A1!`, 'zvyagintseva.Anna-9'])
      expect(await faults(own), own).toEqual(only('errorPasswordPersonal'))
    expect(await faults(password)).toEqual(only('errorPasswordRecent'))
    expect(await faults('Bell\u0007-horse-7')).toEqual(only('errorChars'))
    expect(await faults(`Aa1-${'x'.repeat(4092)}`)).toContainEqual({ field: 'password', code: 'errorTooLong' })
    expect(await faults(fresh, `${fresh}x`)).toEqual([
      { field: 'password', code: 'errorMatch' },
      { field: 'repeatPassword', code: 'errorMatch' },
    ])
    expect((await linkStatus(browser, id)).status).toBe(200)
  })

  test('of 64 characters of any script, spaces and all, is taken whole', async () => {
    const user = await createUser()
    const long = `Пароль, 64 знака! 🦊 🦊 ${'ёж и лиса '.repeat(5)}`.slice(0, 66)
    expect([...long]).toHaveLength(64)
    expect((await setByLink(new Browser(), await recoveryLink(new Browser(), user), long)).status).toBe(200)
    expect((await signInByPassword(new Browser(), user.login, long)).status).toBe(200)
    expect((await signInByPassword(new Browser(), user.login, long.slice(0, -1))).status).toBe(400)
    expect((await signInByPassword(new Browser(), user.login, long.normalize('NFD'))).status).toBe(200)
  })

  test('recent ones are refused as far back as the setting says, and not at all with 0', async () => {
    await setSetting('passwordHistory', 2)
    const user = await createUser()
    const browser = new Browser()
    await setSetting('passwordRefreshAttempts', 50)
    const set = async (value: string) => {
      const answer = await setByLink(browser, await recoveryLink(browser, user), value)
      return answer.status === 200 ? 'set' : faultsOf(answer)?.[0]?.code
    }
    expect(await set('First-horse-1x')).toBe('set')
    expect(await set(password)).toBe('errorPasswordRecent')
    expect(await set('First-horse-1x')).toBe('errorPasswordRecent')
    expect(await set('Second-horse-2x')).toBe('set')
    expect(await set(password)).toBe('set')
    await setSetting('passwordHistory', 0)
    expect(await set(password)).toBe('set')
    await setSetting('passwordHistory', 24)
    const kept = () => db().select().from(passwordHistory).where(eq(passwordHistory.userId, user.id))
    await db()
      .insert(passwordHistory)
      .values(Array.from({ length: 30 }, (_, n) => ({ userId: user.id, passwordHash: `${n}`, createdAt: new Date(n) })))
    await setSetting('passwordHistory', 5)
    expect(await set('Fourth-horse-4x')).toBe('set')
    expect(await kept()).toHaveLength(24)
    await setSetting('passwordRefreshAttempts', 5)
  })
})

test('a recovery link and a first-entry one at the same moment: one sets the password, the other is over', async () => {
  const ctx = await createContext()
  const user = await createUser()
  const receiver = { userId: user.id }
  const recovery = await createLink(db(), ctx, 'recovery', receiver, 600)
  const entry = await createLink(db(), ctx, 'entry', receiver, 600)
  const wanted = { password: fresh, repeatPassword: fresh }
  const waiting = async () =>
    (
      await db().execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length
  // both have begun before either gets on
  const asked = await db().transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('update')
    return apart(async () => {
      const asked = Promise.all([
        setByLink(new Browser(), recovery, fresh),
        new Browser().send(putEntry, 'PUT', { params: { id: entry }, body: wanted }),
      ])
      await expect.poll(waiting, { timeout: 5000 }).toBe(2)
      return { asked }
    })
  })
  expect((await asked.asked).map(({ status }) => status).sort()).toEqual([200, 409])
})
