import { and, count, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DELETE as decline, GET as read } from '@/app/api/v1/platform/invitation/[id]/route'
import { POST as accept } from '@/app/api/v1/platform/invitation/accept/route'
import { POST as code } from '@/app/api/v1/platform/invitation/code/route'
import { PUT as verify } from '@/app/api/v1/platform/invitation/verify/route'
import { db } from '@/db/client'
import {
  domainAgreements,
  domainAliases,
  history,
  invitationRoles,
  invitations,
  messages,
  organizations,
  sessions,
  userAgreements,
  userContractorRoles,
  userContractors,
  users,
} from '@/db/schema'
import { acceptByRegistration } from '@/lib/entry/invitations/auto-success'
import { expireInvitations } from '@/lib/entry/invitations/expire'
import { createInvitation, resendInvitation, revokeInvitation } from '@/lib/entry/invitations/manage'
import { forget } from '@/lib/kernel/cache'
import { redis } from '@/lib/kernel/redis'
import { signedInWith } from '../factories/access'
import { Browser } from '../factories/browser'
import { createContractor, createContractorRole, join, newEmail } from '../factories/companies'
import { createAgreement, createDomain } from '../factories/domains'
import { contextOf, createMaster, invite, linkSentTo } from '../factories/invitations'
import { lastCodeTo, lastMessageTo, runJobs } from '../factories/messages'
import { first } from '../factories/platform'
import { setSetting } from '../factories/settings'
import { signedInStatus, signInByPassword } from '../factories/sign-in'
import { createUser, password } from '../factories/users'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

type Invited = Awaited<ReturnType<typeof invite>>
let mobiles = 9_160_000_000 + Math.floor(Math.random() * 1_000_000)
const newMobile = () => `+7${++mobiles}`

const look = (browser: Browser, id: string) => browser.send(read, 'GET', { params: { id } })
const refuse = (browser: Browser, id: string) => browser.send(decline, 'DELETE', { params: { id } })
const say = (browser: Browser, body: Record<string, unknown>) => browser.send(accept, 'POST', { body })
const names = { fio: 'Новикова Ольга Игоревна' }
const formOf = ({ guid }: { guid: string }, more: Record<string, unknown> = {}) => ({
  hash: guid,
  ...names,
  password,
  repeatPassword: password,
  ...more,
})
const wrong = (right: string) => right.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))

/** Has the mobile proven, as the page does. */
async function prove(browser: Browser, hash: string, mobile = newMobile()) {
  expect(await browser.send(code, 'POST', { body: { hash, mobile } })).toMatchObject({ status: 200 })
  const sent = await lastCodeTo(mobile)
  expect(await browser.send(verify, 'PUT', { body: { hash, mobile, code: sent } })).toMatchObject({
    status: 200,
    body: { mobile_verify: true },
  })
  return mobile
}
const rowOf = async ({ id }: { id: string }) =>
  first(await db().select().from(invitations).where(eq(invitations.id, id)))
const accountOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0]
const mailsTo = async (recipient: string, template: string) => {
  await runJobs()
  const [row] = await db()
    .select({ rows: count() })
    .from(messages)
    .where(and(eq(messages.recipient, recipient), eq(messages.template, template as never)))
  return row?.rows
}
const set = (id: string, values: Partial<typeof invitations.$inferInsert>) =>
  db().update(invitations).set(values).where(eq(invitations.id, id))
const past = () => new Date(Date.now() - 1000)
const rolesOf = (userId: string) =>
  db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, userId))
/** An account that signed in, with its browser. */
async function signedIn(wishes: Parameters<typeof createUser>[0] = {}) {
  const user = await createUser(wishes)
  const browser = new Browser()
  await signInByPassword(browser, user.login, password)
  return { user, browser }
}

describe('reading an invitation', () => {
  test('fills the form of somebody new, in their language, and never uses the link up', async () => {
    const invited = await invite()
    const browser = new Browser()
    const { body, status } = await look(browser, invited.guid)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'active',
      email: invited.email,
      login: invited.email,
      fio: '',
      lastName: '',
      firstName: '',
      middleName: '',
      inviter: 'Северный Юрий Львович',
      company: invited.contractor.name,
      organizations: [
        {
          organizationId: invited.organization.id,
          name: invited.organization.name,
          roles: [{ roleId: invited.role.id, name: invited.role.name }],
        },
      ],
      expiresIn: expect.any(Number),
      expiresAt: (await rowOf(invited)).expiresAt.toISOString(),
      existing: false,
      signedIn: false,
      mobile: null,
      mobile_verify: false,
      termsRequired: [],
    })
    browser.cookies.set('locale', 'en')
    for (let n = 0; n < 20; n++) expect((await look(browser, invited.guid.toUpperCase())).status).toBe(200)
    expect((await look(browser, invited.guid)).body.organizations).toMatchObject([
      { name: invited.organization.nameEn, roles: [{ name: invited.role.nameEn }] },
    ])
  })

  test('tells whoever holds the link nothing of the account, and the invitee who is signed in their own', async () => {
    const { user, browser } = await signedIn()
    const invited = await invite({ email: user.email })
    expect((await look(new Browser(), invited.guid)).body).toMatchObject({
      existing: true,
      signedIn: false,
      login: user.email,
      fio: '',
      firstName: '',
      mobile: null,
    })
    expect((await look(browser, invited.guid)).body).toMatchObject({
      existing: true,
      signedIn: true,
      login: user.login,
      fio: user.fio,
      mobile: user.mobile,
    })
  })

  test('tells each state of the link, and so do all other calls', async () => {
    const states: [string, Partial<typeof invitations.$inferInsert>, number][] = [
      ['expired', { expiresAt: past() }, 403],
      ['expired', { status: 'deactivated' }, 403],
      ['used', { status: 'refusal' }, 400],
      ['used', { status: 'success' }, 400],
      ['used', { status: 'autoSuccess' }, 400],
      ['canceled', { status: 'deleted' }, 400],
    ]
    const everywhere = async (browser: Browser, guid: string) => {
      const mobile = newMobile()
      return [
        await look(browser, guid),
        await browser.send(code, 'POST', { body: { hash: guid, mobile } }),
        await browser.send(verify, 'PUT', { body: { hash: guid, mobile, code: '0000' } }),
        await say(browser, formOf({ guid })),
        await refuse(browser, guid),
      ]
    }
    const nobody = new Browser()
    for (const [expected, values, status] of states) {
      const invited = await invite()
      await set(invited.id, values)
      for (const answer of await everywhere(nobody, invited.guid))
        expect(answer).toMatchObject({ status, body: { code: expected } })
      expect((await rowOf(invited)).status).toBe(values.status ?? 'active')
    }
    const somebody = await signedIn()
    const invited = await invite()
    for (const answer of await everywhere(somebody.browser, invited.guid))
      expect(answer).toMatchObject({ status: 400, body: { code: 'active' } })
    for (const answer of await everywhere(nobody, crypto.randomUUID()))
      expect(answer).toMatchObject({ status: 404, body: { code: 'notFound' } })
    // the row's own id is no link
    expect((await look(nobody, invited.id)).status).toBe(404)
    expect((await look(nobody, invited.guid)).status).toBe(200)
  })

  test('leaves out what can no longer be given; with nothing left it counts as canceled', async () => {
    const company = await createContractor(2)
    const [master, role] = [await createMaster(company), await createContractorRole()]
    const email = newEmail()
    await createInvitation(master.ctx, {
      email,
      contractorId: company.contractor.id,
      access: company.organizations.map(({ id }) => ({ organizationId: id, roles: [role.id] })),
    })
    const guid = await linkSentTo(email)
    const browser = new Browser()
    const close = (id = '') => db().update(organizations).set({ enabled: false }).where(eq(organizations.id, id))
    await close(company.organizations[0]?.id)
    expect((await look(browser, guid)).body.organizations).toMatchObject([
      { organizationId: company.organizations[1]?.id },
    ])
    await prove(browser, guid).then((mobile) => say(browser, formOf({ guid }, { mobile })))
    const account = await accountOf(email)
    expect(await rolesOf(account?.id ?? '')).toMatchObject([{ organizationId: company.organizations[1]?.id }])

    const gone = await invite()
    await close(gone.organization.id)
    expect(await look(browser.copy(), gone.guid)).toMatchObject({ status: 400 })
    expect(await look(new Browser(), gone.guid)).toMatchObject({ status: 400, body: { code: 'canceled' } })
    expect(await say(new Browser(), formOf(gone))).toMatchObject({ status: 400, body: { code: 'canceled' } })
  })
})

describe('accepting without an account', () => {
  test('makes one with names, proven mobile, contractor and roles, signs in and tells the inviter', async () => {
    const invited = await invite()
    const browser = new Browser()
    const mobile = await prove(browser, invited.guid)
    expect((await look(new Browser(), invited.guid)).body).toMatchObject({ mobile, mobile_verify: true })
    const answer = await say(browser, formOf(invited, { mobile, email: invited.email, login: invited.email }))
    expect(answer).toMatchObject({
      status: 200,
      body: { next: 'done', redirect: '/platform/profile', mobile_verify: true },
    })
    expect(await signedInStatus(browser)).toBe(200)
    const account = await accountOf(invited.email)
    expect(account).toMatchObject({
      login: invited.email,
      mobile,
      mobileVerifiedAt: expect.any(Date),
      emailVerifiedAt: expect.any(Date),
      lastName: 'Новикова',
      firstName: 'Ольга',
      middleName: 'Игоревна',
      locale: 'ru',
      enabled: true,
    })
    expect(await rolesOf(account?.id ?? '')).toEqual([
      {
        userId: account?.id,
        contractorId: invited.contractor.id,
        organizationId: invited.organization.id,
        roleId: invited.role.id,
      },
    ])
    expect(await rowOf(invited)).toMatchObject({ status: 'success', userId: account?.id, finishedAt: expect.any(Date) })
    expect(await mailsTo(invited.master.user.email, 'invitationAccepted')).toBe(1)
    const rows = await db().select().from(history).where(eq(history.entityId, invited.id))
    expect(rows).toContainEqual(
      expect.objectContaining({ field: 'status', previous: 'active', current: 'success', changerId: account?.id }),
    )
    expect((await signInByPassword(new Browser(), invited.email, password)).status).toBe(200)
    expect(await look(new Browser(), invited.guid)).toMatchObject({ status: 400, body: { code: 'used' } })
  })

  test('takes three names, a login of one’s own and the code along, and refuses names in camelCase', async () => {
    await setSetting('useUserFio', false)
    const invited = await invite()
    const browser = new Browser()
    const mobile = newMobile()
    await browser.send(code, 'POST', { body: { hash: invited.guid, mobile } })
    const { fio: _, ...form } = formOf(invited, { mobile, code: await lastCodeTo(mobile) })
    const three = { last_name: 'Ким', first_name: 'Ян', middle_name: '' }
    for (const name of ['lastName', 'firstName', 'middleName'])
      expect(await say(browser, { ...form, ...three, [name]: 'Ян' })).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field: name, code: 'errorUnknownField' }] } },
      })
    expect(await say(browser, { ...form, login: 'a@b', email: 'other@polaris.example' })).toMatchObject({
      status: 400,
      body: {
        data: {
          errorList: expect.arrayContaining([
            { field: 'last_name', code: 'errorEmpty' },
            { field: 'email', code: 'errorInvitationEmail' },
            { field: 'login', code: 'errorLogin' },
          ]),
        },
      },
    })
    const { login: taken } = await createUser()
    expect(await say(browser, { ...form, ...three, login: taken })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'login', code: 'errorUnique' }] } },
    })
    expect(await accountOf(invited.email)).toBeUndefined()
    const login = `yan.kim.${mobile.slice(-6)}`
    expect((await say(browser, { ...form, ...three, code: undefined, login })).status).toBe(200)
    await setSetting('useUserFio', true)
    expect(await accountOf(invited.email)).toMatchObject({ login, lastName: 'Ким', firstName: 'Ян', fio: 'Ким Ян' })
  })

  test('a skipped step is refused by its field and creates nothing', async () => {
    const invited = await invite()
    const browser = new Browser()
    const mobile = newMobile()
    const faults = async (form: Record<string, unknown>) => {
      const { status, body } = await say(browser, form)
      expect(status).toBe(400)
      return (body.data as { errorList: { field: string; code: string }[] }).errorList
    }
    expect(await faults(formOf(invited, { mobile }))).toEqual([{ field: 'mobile', code: 'errorMobileUnverified' }])
    expect(await faults(formOf(invited, { mobile: '12' }))).toEqual([{ field: 'mobile', code: 'errorMobile' }])
    expect(await faults({ hash: invited.guid })).toEqual([
      { field: 'fio', code: 'errorEmpty' },
      { field: 'password', code: 'errorEmpty' },
      { field: 'repeatPassword', code: 'errorEmpty' },
    ])
    expect(await faults(formOf(invited, { password: 'short', repeatPassword: 'other' }))).toEqual([
      { field: 'password', code: 'errorPasswordRules' },
      { field: 'password', code: 'errorMatch' },
      { field: 'repeatPassword', code: 'errorMatch' },
    ])
    // a proof of one number is none of another
    const proven = await prove(browser, invited.guid)
    expect(await faults(formOf(invited, { mobile }))).toEqual([{ field: 'mobile', code: 'errorMobileUnverified' }])
    // nor is one of another invitation
    expect(await faults(formOf(await invite(), { mobile: proven }))).toEqual([
      { field: 'mobile', code: 'errorMobileUnverified' },
    ])
    expect(await accountOf(invited.email)).toBeUndefined()
    expect((await rowOf(invited)).status).toBe('active')
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('needs the agreements of the domain, in their version', async () => {
    const host = await createDomain({ agreement: await createAgreement() })
    const invited = await invite()
    const browser = new Browser(host)
    const [term] = (await look(browser, invited.guid)).body.termsRequired as { id: string; version: number }[]
    if (!term) throw new Error('nothing to agree to')
    for (const termsAgree of [
      undefined,
      [{ type: term.id, agree: false, version: 1 }],
      [{ type: term.id, agree: true, version: 7 }],
    ])
      expect(await say(browser, formOf(invited, { termsAgree }))).toMatchObject({
        status: 403,
        body: {
          code: 'termsRequired',
          data: {
            termsRequired: [{ id: term.id }],
            errorList: [{ field: `termsAgree.${term.id}`, code: 'errorEmpty' }],
          },
        },
      })
    expect(await say(browser, { hash: invited.guid, ...names })).toMatchObject({
      status: 400,
      body: { data: { termsRequired: [{ id: term.id }] } },
    })
    expect(await accountOf(invited.email)).toBeUndefined()
    const termsAgree = [{ type: term.id, agree: true, version: 1 }]
    expect((await say(browser, formOf(invited, { termsAgree }))).status).toBe(200)
    const account = await accountOf(invited.email)
    expect(
      await db()
        .select()
        .from(userAgreements)
        .where(eq(userAgreements.userId, account?.id ?? '')),
    ).toMatchObject([{ documentId: term.id, version: 1 }])
  })

  test('50 at once: one is accepted, the others are told so; one account, one mail', async () => {
    const invited = await invite()
    const mobile = await prove(new Browser(), invited.guid)
    const answers = await Promise.all(Array.from({ length: 50 }, () => say(new Browser(), formOf(invited, { mobile }))))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const { status, body } of answers.filter(({ status }) => status !== 200))
      expect([`${status} ${body.code}`]).toEqual([expect.stringMatching(/^(409 conflict|400 used)$/)])
    expect(await db().$count(users, eq(users.email, invited.email))).toBe(1)
    const account = await accountOf(invited.email)
    expect(await db().$count(sessions, eq(sessions.userId, account?.id ?? ''))).toBe(1)
    expect(await mailsTo(invited.master.user.email, 'invitationAccepted')).toBe(1)
  })

  test('accepting, declining and revoking at once: exactly one of them happens', async () => {
    for (let round = 0; round < 3; round++) {
      const invited = await invite()
      const mobile = await prove(new Browser(), invited.guid)
      const [accepted, declined, revoked] = await Promise.all([
        say(new Browser(), formOf(invited, { mobile })).then(({ status }) => status === 200),
        refuse(new Browser(), invited.guid).then(({ status }) => status === 200),
        revokeInvitation(invited.master.ctx, { id: invited.id }).then(
          () => true,
          (error) => {
            expect(error).toMatchObject({ status: 409, code: 'invitationClosed' })
            return false
          },
        ),
      ])
      expect([accepted, declined, revoked].filter(Boolean)).toHaveLength(1)
      const status = accepted ? 'success' : declined ? 'refusal' : 'deleted'
      expect((await rowOf(invited)).status).toBe(status)
      expect(await db().$count(users, eq(users.email, invited.email))).toBe(accepted ? 1 : 0)
    }
  })
})

describe('the mobile’s code', () => {
  test('50 wrong ones at once die at the limit, and the right one after them', async () => {
    const invited = await invite()
    const mobile = newMobile()
    const browser = new Browser()
    const asked = await browser.send(code, 'POST', { body: { hash: invited.guid, mobile } })
    expect(asked.body).toEqual({ resendIn: 60, endTime: expect.stringMatching(/Z$/) })
    const left = Date.parse(String(asked.body.endTime)) - Date.now()
    expect(left).toBeGreaterThan(4 * 60_000)
    expect(left).toBeLessThanOrEqual(5 * 60_000)
    const right = await lastCodeTo(mobile)
    const enter = (digits: string) =>
      browser.send(verify, 'PUT', { body: { hash: invited.guid, mobile, code: digits } })
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(wrong(right))))
    expect(answers.filter(({ body }) => body.code === 'errorCode')).toHaveLength(4)
    expect(answers.filter(({ body }) => body.code === 'errorCodeAttempts')).toHaveLength(46)
    expect(await enter(right)).toMatchObject({ status: 400, body: { code: 'errorCodeAttempts' } })
    expect((await rowOf(invited)).mobileVerifiedAt).toBeNull()
  })

  test('works once, for one number of one invitation; another number is proven in its place', async () => {
    const [invited, other] = [await invite(), await invite()]
    const browser = new Browser()
    const mobile = newMobile()
    await browser.send(code, 'POST', { body: { hash: invited.guid, mobile } })
    const right = await lastCodeTo(mobile)
    const enter = (hash: string, number: string) =>
      browser.send(verify, 'PUT', { body: { hash, mobile: number, code: right } })
    expect((await enter(other.guid, mobile)).body.code).toBe('errorCodeExpired')
    expect((await enter(invited.guid, newMobile())).body.code).toBe('errorCode')
    expect((await enter(invited.guid, mobile)).status).toBe(200)
    expect((await enter(invited.guid, mobile)).body.code).toBe('errorCodeExpired')
    // asked again within the resend time, nothing is sent
    expect((await browser.send(code, 'POST', { body: { hash: invited.guid, mobile } })).body).toMatchObject({
      resendIn: expect.any(Number),
      endTime: null,
    })
    expect(await mailsTo(mobile, 'mobileCode')).toBe(1)
    const second = await prove(browser, invited.guid)
    expect((await rowOf(invited)).mobile).toBe(second)
  })

  test('says that a number is somebody’s only after the right code', async () => {
    const invited = await invite()
    const { mobile } = await createUser()
    const browser = new Browser()
    const asked = await browser.send(code, 'POST', { body: { hash: invited.guid, mobile } })
    expect(asked).toMatchObject({ status: 200, body: { resendIn: 60, endTime: expect.any(String) } })
    const right = await lastCodeTo(mobile)
    const enter = (digits: string) =>
      browser.send(verify, 'PUT', { body: { hash: invited.guid, mobile, code: digits } })
    expect((await enter(wrong(right))).body.code).toBe('errorCode')
    expect(await enter(right)).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'mobile', code: 'errorMobileRegistered' }] } },
    })
    expect((await rowOf(invited)).mobileVerifiedAt).toBeNull()
  })

  test('the daily limit and the link’s own hold', async () => {
    const invited = await invite()
    const browser = new Browser()
    const mobile = newMobile()
    const ask = async (number: string) => {
      const keys = await redis().keys('code-resend:*')
      if (keys.length > 0) await redis().del(keys)
      return browser.send(code, 'POST', { body: { hash: invited.guid, mobile: number } })
    }
    for (let n = 0; n < 10; n++) expect((await ask(mobile)).status).toBe(200)
    expect(await ask(mobile)).toMatchObject({ status: 429, body: { code: 'codeDailyLimit' } })
    for (let n = 11; n < 30; n++) expect((await ask(newMobile())).status).toBe(200)
    expect(await ask(newMobile())).toMatchObject({ status: 429, body: { code: 'tooManyAttempts' } })
  })
})

describe('accepting with an account', () => {
  test('needs its sign-in, then the link alone; what it gives counts at once', async () => {
    const { user, browser } = await signedIn()
    const company = await createContractor()
    const master = await createMaster(company, ['history.read'])
    const role = await createContractorRole(['history.read'])
    await createInvitation(master.ctx, {
      email: user.email.toUpperCase(),
      contractorId: company.contractor.id,
      access: [{ organizationId: company.organization.id, roles: [role.id] }],
    })
    const guid = await linkSentTo(user.email)
    const nobody = new Browser()
    for (const answer of [
      await say(nobody, formOf({ guid })),
      await nobody.send(code, 'POST', { body: { hash: guid, mobile: newMobile() } }),
    ])
      expect(answer).toMatchObject({ status: 401, body: { code: 'invitationSignIn' } })
    expect((await contextOf(browser)).user?.methods.has('history.read')).toBe(false)
    expect(await say(browser, { hash: guid })).toMatchObject({ status: 200, body: { next: 'done' } })
    expect((await contextOf(browser)).user?.methods.has('history.read')).toBe(true)
    expect(await db().$count(users, eq(users.email, user.email))).toBe(1)
    expect(await db().$count(userContractors, eq(userContractors.userId, user.id))).toBe(1)
    expect(await mailsTo(master.user.email, 'invitationAccepted')).toBe(1)
    expect(await say(browser, { hash: guid })).toMatchObject({ status: 400, body: { code: 'used' } })
  })

  test('50 at once: one is accepted, one mail goes out', async () => {
    const { user, browser } = await signedIn()
    const invited = await invite({ email: user.email })
    const answers = await Promise.all(Array.from({ length: 50 }, () => say(browser, { hash: invited.guid })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'used')).toHaveLength(49)
    expect(await mailsTo(invited.master.user.email, 'invitationAccepted')).toBe(1)
  })

  test('asks for agreements that are still missing', async () => {
    const agreement = await createAgreement()
    const { user } = await signedIn()
    const host = await createDomain()
    const browser = new Browser(host)
    await signInByPassword(browser, user.login, password)
    const [alias] = await db().select().from(domainAliases).where(eq(domainAliases.host, host))
    await db()
      .insert(domainAgreements)
      .values({ domainId: alias?.domainId ?? '', documentId: agreement, loginRequired: true })
    forget('project-info')
    const invited = await invite({ email: user.email })
    expect(await say(browser, { hash: invited.guid })).toMatchObject({ status: 403, body: { code: 'termsRequired' } })
    const termsAgree = [{ type: agreement, agree: true, version: 1 }]
    expect((await say(browser, { hash: invited.guid, termsAgree })).status).toBe(200)
  })
})

describe('declining', () => {
  test('by the link alone, once; the inviter is told', async () => {
    const invited = await invite()
    expect(await refuse(new Browser(), invited.guid)).toMatchObject({ status: 200, body: {} })
    expect(await rowOf(invited)).toMatchObject({ status: 'refusal', finishedAt: expect.any(Date), userId: null })
    expect(await refuse(new Browser(), invited.guid)).toMatchObject({ status: 400, body: { code: 'used' } })
    expect(await mailsTo(invited.master.user.email, 'invitationDeclined')).toBe(1)
  })
})

describe('inviting', () => {
  const wish = (invited: Invited, more: object = {}) => ({
    email: newEmail(),
    contractorId: invited.contractor.id,
    access: [{ organizationId: invited.organization.id, roles: [invited.role.id] }],
    ...more,
  })

  test('is for those who hold masterAccountAccess for that contractor, or platform-wide', async () => {
    const invited = await invite()
    const before = await db().$count(invitations)
    const nobody = await contextOf(new Browser())
    await expect(createInvitation(nobody, wish(invited))).rejects.toMatchObject({ status: 401 })
    const plain = await contextOf((await signedIn()).browser)
    await expect(createInvitation(plain, wish(invited))).rejects.toMatchObject({ status: 403 })
    const other = await createMaster(await createContractor())
    for (const attempt of [
      () => createInvitation(other.ctx, wish(invited)),
      () => createInvitation(other.ctx, wish(invited, { contractorId: crypto.randomUUID() })),
      () => resendInvitation(other.ctx, { id: invited.id }),
      () => revokeInvitation(other.ctx, { id: invited.id }),
      () => revokeInvitation(other.ctx, { id: crypto.randomUUID() }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404, code: 'notFound' })
    expect(await db().$count(invitations)).toBe(before)
    expect(await rowOf(invited)).toMatchObject({ status: 'active' })
    expect((await look(new Browser(), invited.guid)).status).toBe(200)
    const everywhere = await contextOf((await signedInWith(['masterAccountAccess'])).browser)
    await expect(createInvitation(everywhere, wish(invited))).resolves.toMatchObject({ id: expect.any(String) })
  })

  test('gives contractor roles alone, in available organizations, and no method that the inviter lacks', async () => {
    const invited = await invite()
    const { ctx, user } = invited.master
    const foreign = await createContractor()
    const roles = async (...ids: string[]) =>
      createInvitation(ctx, wish(invited, { access: [{ organizationId: invited.organization.id, roles: ids }] }))
    const systemic = await createContractorRole([], 'systemic')
    const strong = await createContractorRole(['settings.write'])
    await expect(roles()).rejects.toMatchObject({ status: 400 })
    await expect(roles(systemic.id)).rejects.toMatchObject({
      status: 400,
      data: { errorList: [{ field: 'access.0.roles', code: 'errorRole' }] },
    })
    await expect(roles(crypto.randomUUID())).rejects.toMatchObject({ status: 400 })
    await expect(roles(invited.role.id, strong.id)).rejects.toMatchObject({ status: 403, code: 'forbiddenRole' })
    await expect(createInvitation(ctx, wish(invited, { access: [] }))).rejects.toMatchObject({ status: 400 })
    await expect(
      createInvitation(
        ctx,
        wish(invited, { access: [{ organizationId: foreign.organization.id, roles: [invited.role.id] }] }),
      ),
    ).rejects.toMatchObject({
      status: 400,
      data: { errorList: [{ field: 'access.0.organizationId', code: 'errorOrganization' }] },
    })
    // held for another contractor, it is not theirs to give here
    await join(foreign, user.id, [strong.id])
    await expect(roles(strong.id)).rejects.toMatchObject({ status: 403, code: 'forbiddenRole' })
    await db().insert(userContractorRoles).values({
      userId: user.id,
      contractorId: invited.contractor.id,
      organizationId: invited.organization.id,
      roleId: strong.id,
    })
    await expect(roles(strong.id)).resolves.toMatchObject({ id: expect.any(String) })
    const rows = await db().select().from(invitationRoles).where(eq(invitationRoles.roleId, strong.id))
    expect(rows).toHaveLength(1)
  })

  test('refuses addresses that mail programs read otherwise', async () => {
    const invited = await invite()
    for (const email of ['"a@b"@polaris.example', 'a@polaris.example,b@evil.example', 'a＠polaris.example', 'a'])
      await expect(createInvitation(invited.master.ctx, wish(invited, { email }))).rejects.toMatchObject({
        status: 400,
        data: { errorList: [{ field: 'email', code: 'errorEmail' }] },
      })
  })

  test('once at a time, also in parallel; not somebody who is there; an expired one makes room', async () => {
    const invited = await invite()
    const { ctx } = invited.master
    await expect(createInvitation(ctx, wish(invited, { email: invited.email }))).rejects.toMatchObject({
      status: 409,
      code: 'invitationActive',
    })
    const email = newEmail()
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => createInvitation(ctx, wish(invited, { email }))),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await mailsTo(email, 'invitation')).toBe(1)
    const { user } = invited.master
    await expect(createInvitation(ctx, wish(invited, { email: user.email }))).rejects.toMatchObject({
      status: 409,
      code: 'contractorMember',
    })
    await set(invited.id, { expiresAt: past() })
    await createInvitation(ctx, wish(invited, { email: invited.email }))
    expect((await rowOf(invited)).status).toBe('deactivated')
  })

  test('links lead to the domain’s own address, whatever the request says', async () => {
    const invited = await invite()
    const browser = invited.master.browser.copy('evil.example')
    const email = newEmail()
    await createInvitation(await contextOf(browser), wish(invited, { email }))
    const { content } = (await lastMessageTo(email)) ?? {}
    expect(content?.text).toContain('http://localhost:3000/platform/invitation/')
    expect(JSON.stringify(content)).not.toContain('evil.example')
  })

  test('sending again makes a new link after a minute, the one before is dead', async () => {
    const invited = await invite()
    const { ctx } = invited.master
    expect((await resendInvitation(ctx, { id: invited.id })).resendIn).toBeGreaterThan(50)
    expect(await mailsTo(invited.email, 'invitation')).toBe(1)
    await set(invited.id, { sentAt: new Date(Date.now() - 61_000), expiresAt: past() })
    const tries = await Promise.all(Array.from({ length: 5 }, () => resendInvitation(ctx, { id: invited.id })))
    expect(tries.every(({ resendIn }) => resendIn > 50)).toBe(true)
    expect(await mailsTo(invited.email, 'invitation')).toBe(2)
    const guid = await linkSentTo(invited.email)
    expect(guid).not.toBe(invited.guid)
    expect((await look(new Browser(), invited.guid)).status).toBe(404)
    expect((await look(new Browser(), guid)).status).toBe(200)
    await set(invited.id, { sentAt: new Date(Date.now() - 61_000), status: 'success' })
    await expect(resendInvitation(ctx, { id: invited.id })).rejects.toMatchObject({
      status: 409,
      code: 'invitationClosed',
    })
  })

  test('revoking kills the link and tells whoever had a live one', async () => {
    const invited = await invite()
    await revokeInvitation(invited.master.ctx, { id: invited.id })
    expect(await look(new Browser(), invited.guid)).toMatchObject({ status: 400, body: { code: 'canceled' } })
    expect(await mailsTo(invited.email, 'invitationRevoked')).toBe(1)
    await expect(revokeInvitation(invited.master.ctx, { id: invited.id })).rejects.toMatchObject({ status: 409 })
  })
})

test('invitations whose time is up are closed, with their history', async () => {
  const [due, fresh] = [await invite(), await invite()]
  await set(due.id, { expiresAt: past() })
  await Promise.all([expireInvitations(), expireInvitations()])
  expect((await rowOf(due)).status).toBe('deactivated')
  expect((await rowOf(fresh)).status).toBe('active')
  const rows = await db()
    .select()
    .from(history)
    .where(and(eq(history.entityId, due.id), eq(history.type, 'update')))
  expect(rows).toMatchObject([{ field: 'status', previous: 'active', current: 'deactivated', changerId: null }])
})

test('who registers while invited is in every company that invited them', async () => {
  const one = await invite()
  const two = await invite({ email: one.email })
  const dead = await invite({ email: one.email })
  await set(dead.id, { expiresAt: past() })
  const user = await createUser({ email: one.email })
  const ctx = await contextOf(new Browser())
  await db().transaction((tx) => acceptByRegistration(tx, ctx, { userId: user.id, email: one.email }))
  for (const invited of [one, two])
    expect(await rowOf(invited)).toMatchObject({ status: 'autoSuccess', userId: user.id })
  expect((await rowOf(dead)).status).toBe('active')
  expect((await rolesOf(user.id)).map(({ contractorId }) => contractorId).sort()).toEqual(
    [one.contractor.id, two.contractor.id].sort(),
  )
  expect(await mailsTo(one.master.user.email, 'invitationAccepted')).toBe(1)
})

test('the link’s GUID stands in no table in plain', async () => {
  const invited = await invite()
  const mobile = await prove(new Browser(), invited.guid)
  await say(new Browser(), formOf(invited, { mobile }))
  await runJobs()
  const { rows: tables } = await db().execute<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables) {
    const { rows } = await db().execute(`select 1 from ${name} as t where t::text ilike '%${invited.guid}%'`)
    expect(rows, name).toEqual([])
  }
})
