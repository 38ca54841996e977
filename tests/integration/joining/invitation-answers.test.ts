import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { domainAgreements, domainAliases, userContractors, users } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import { createInvitation } from '@/lib/joining/invitations/manage'
import { Browser } from '../../factories/browser'
import { createContractor, createContractorRole } from '../../factories/companies'
import { createAgreement, createDomain } from '../../factories/domains'
import {
  askCode,
  enterCode,
  formOf,
  mailsTo,
  newMobile,
  prove,
  refuse,
  rowOf,
  say,
  signedIn,
  wrong,
} from '../../factories/invitation-calls'
import { contextOf, createMaster, invite, linkSentTo } from '../../factories/invitations'
import { lastCodeTo, runJobs } from '../../factories/messages'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

describe('the mobile’s code', () => {
  test('dies at the limit with 50 wrong ones at once, and then the right one is refused', async () => {
    const invited = await invite()
    const mobile = newMobile()
    const browser = new Browser()
    const asked = await askCode(browser, invited.guid, mobile)
    expect(asked.body).toEqual({ resendIn: 60, endTime: expect.stringMatching(/Z$/) })
    const msLeft = Date.parse(String(asked.body.endTime)) - Date.now()
    expect(msLeft).toBeGreaterThan(4 * 60_000)
    expect(msLeft).toBeLessThanOrEqual(5 * 60_000)
    const right = await lastCodeTo(mobile)
    const enter = (digits: string) => enterCode(browser, invited.guid, mobile, digits)
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(wrong(right))))
    expect(answers.filter(({ body }) => body.code === 'errorCode')).toHaveLength(4)
    expect(answers.filter(({ body }) => body.code === 'errorCodeAttempts')).toHaveLength(46)
    expect(await enter(right)).toMatchObject({ status: 400, body: { code: 'errorCodeAttempts' } })
    expect((await rowOf(invited)).mobileVerifiedAt).toBeNull()
  })

  test('works once, for one number of one invitation; another number can be proven in its place', async () => {
    const [invited, other] = [await invite(), await invite()]
    const browser = new Browser()
    const mobile = newMobile()
    await askCode(browser, invited.guid, mobile)
    const right = await lastCodeTo(mobile)
    const enter = (hash: string, number: string) => enterCode(browser, hash, number, right)
    expect((await enter(other.guid, mobile)).body.code).toBe('errorCodeExpired')
    expect((await enter(invited.guid, newMobile())).body.code).toBe('errorCode')
    expect((await enter(invited.guid, mobile)).status).toBe(200)
    expect((await enter(invited.guid, mobile)).body.code).toBe('errorCodeExpired')
    // a second request within the resend time sends nothing
    expect((await askCode(browser, invited.guid, mobile)).body).toMatchObject({
      resendIn: expect.any(Number),
      endTime: null,
    })
    expect(await mailsTo(mobile, 'mobileCode')).toBe(1)
    const second = await prove(browser, invited.guid)
    expect((await rowOf(invited)).mobile).toBe(second)
  })

  test('reveals only after the right code that a number is used by another account', async () => {
    const invited = await invite()
    const { mobile } = await createUser()
    const browser = new Browser()
    const asked = await askCode(browser, invited.guid, mobile)
    expect(asked).toMatchObject({ status: 200, body: { resendIn: 60, endTime: expect.any(String) } })
    const right = await lastCodeTo(mobile)
    const enter = (digits: string) => enterCode(browser, invited.guid, mobile, digits)
    expect((await enter(wrong(right))).body.code).toBe('errorCode')
    expect(await enter(right)).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'mobile', code: 'errorMobileRegistered' }] } },
    })
    expect((await rowOf(invited)).mobileVerifiedAt).toBeNull()
  })

  test('has a daily limit for a receiver and for a link, also after Redis has lost its data', async () => {
    const [invited, other] = [await invite(), await invite()]
    const browser = new Browser()
    const mobile = newMobile()
    const ask = async ({ guid }: typeof invited, number: string) => {
      await redis().flushdb()
      return askCode(browser, guid, number)
    }
    const refused = { status: 429, body: { code: 'codeDailyLimit' } }
    for (let n = 0; n < 5; n++) expect((await ask(invited, mobile)).status).toBe(200)
    for (let n = 0; n < 5; n++) expect((await ask(other, mobile)).status).toBe(200)
    expect(await ask(other, mobile)).toMatchObject(refused)
    for (let n = 5; n < 10; n++) expect((await ask(invited, newMobile())).status).toBe(200)
    for (let n = 0; n < 3; n++) expect(await ask(invited, newMobile())).toMatchObject(refused)
  })
})

describe('accepting with an account', () => {
  test('requires its sign-in, then only the link; the granted rights apply at once', async () => {
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
    for (const answer of [await say(nobody, formOf({ guid })), await askCode(nobody, guid, newMobile())])
      expect(answer).toMatchObject({ status: 401, body: { code: 'invitationSignIn' } })
    expect((await contextOf(browser)).user?.methods.has('history.read')).toBe(false)
    expect(await say(browser, { hash: guid })).toMatchObject({ status: 200, body: { next: 'done' } })
    expect((await contextOf(browser)).user?.methods.has('history.read')).toBe(true)
    expect(await db().$count(users, eq(users.email, user.email))).toBe(1)
    expect(await db().$count(userContractors, eq(userContractors.userId, user.id))).toBe(1)
    expect(await mailsTo(master.user.email, 'invitationAccepted')).toBe(1)
    expect(await say(browser, { hash: guid })).toMatchObject({ status: 400, body: { code: 'used' } })
  })

  test('50 at once: one is accepted, one mail is sent', async () => {
    const { user, browser } = await signedIn()
    const invited = await invite({ email: user.email })
    const answers = await Promise.all(Array.from({ length: 50 }, () => say(browser, { hash: invited.guid })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'used')).toHaveLength(49)
    expect(await mailsTo(invited.master.user.email, 'invitationAccepted')).toBe(1)
  })

  test('asks for missing agreements', async () => {
    const agreement = await createAgreement()
    const { user } = await signedIn()
    const host = await createDomain()
    const browser = new Browser(host)
    await signInByPassword(browser, user.login, password)
    const [alias] = await db().select().from(domainAliases).where(eq(domainAliases.host, host))
    await db()
      .insert(domainAgreements)
      .values({ domainId: alias?.domainId ?? '', documentId: agreement, loginRequired: true })
    dropCached('project-info')
    const invited = await invite({ email: user.email })
    expect(await say(browser, { hash: invited.guid })).toMatchObject({ status: 403, body: { code: 'termsRequired' } })
    const termsAgree = [{ type: agreement, agree: true, version: 1 }]
    expect((await say(browser, { hash: invited.guid, termsAgree })).status).toBe(200)
  })
})

describe('declining', () => {
  test('needs only the link, works once, and sends the inviter a mail', async () => {
    const invited = await invite()
    expect(await refuse(new Browser(), invited.guid)).toMatchObject({ status: 200, body: {} })
    expect(await rowOf(invited)).toMatchObject({ status: 'refusal', finishedAt: expect.any(Date), userId: null })
    expect(await refuse(new Browser(), invited.guid)).toMatchObject({ status: 400, body: { code: 'used' } })
    expect(await mailsTo(invited.master.user.email, 'invitationDeclined')).toBe(1)
  })
})

test('no table contains the link’s GUID in plain text', async () => {
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
