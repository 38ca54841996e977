import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, invitationRoles, type invitations, organizations, sessions, userAgreements, users } from '@/db/schema'
import { outsideTransaction } from '@/db/scope'
import { createInvitation, revokeInvitation } from '@/lib/joining/invitations/manage'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { createContractor, createContractorRole, newEmail } from '../../factories/companies'
import { createAgreement, createDomain } from '../../factories/domains'
import {
  accountOf,
  askCode,
  enterCode,
  formOf,
  look,
  mailsTo,
  newMobile,
  past,
  prove,
  refuse,
  rolesOf,
  rowOf,
  say,
  setInvitation,
  signedIn,
} from '../../factories/invitation-calls'
import { contextOf, invite, linkSentTo } from '../../factories/invitations'
import { lastCodeTo } from '../../factories/messages'
import { setSetting } from '../../factories/settings'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { somebodyWaits } from '../../setup/eventually'

useTestDatabase()

describe('reading an invitation', () => {
  test('fills in the form of a new person, in their language, and never uses up the link', async () => {
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

  test('reveals nothing about the account to others, and shows a signed-in invitee their own', async () => {
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

  test('reports each state of the link, as all other calls do', async () => {
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
        await askCode(browser, guid, mobile),
        await enterCode(browser, guid, mobile, '0000'),
        await say(browser, formOf({ guid })),
        await refuse(browser, guid),
      ]
    }
    const nobody = new Browser()
    for (const [expected, values, status] of states) {
      const invited = await invite()
      await setInvitation(invited.id, values)
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
    // the id of the row isn't valid as a link
    expect((await look(nobody, invited.id)).status).toBe(404)
    expect((await look(nobody, invited.guid)).status).toBe(200)
  })

  test('omits roles that can no longer be granted; without any left it counts as canceled', async () => {
    const company = await createContractor(2)
    const role = await createContractorRole()
    // a manager of all contractors, who loses nothing with an organization
    const master = await contextOf((await signedInWith(['masterAccountAccess'])).browser)
    const email = newEmail()
    await createInvitation(master, {
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

    const invitation = await invite()
    await close(invitation.organization.id)
    expect(await look(browser.copy(), invitation.guid)).toMatchObject({ status: 400 })
    expect(await look(new Browser(), invitation.guid)).toMatchObject({ status: 400, body: { code: 'canceled' } })
    expect(await say(new Browser(), formOf(invitation))).toMatchObject({ status: 400, body: { code: 'canceled' } })
  })
})

describe('accepting without an account', () => {
  test('creates one with names, proven mobile, contractor and roles, signs in and notifies the inviter', async () => {
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

  test('accepts three names, a chosen login and the code together, and refuses names in camelCase', async () => {
    await setSetting('useUserFio', false)
    const invited = await invite()
    const browser = new Browser()
    const mobile = newMobile()
    await askCode(browser, invited.guid, mobile)
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

  test('refuses a skipped step by its field and creates nothing', async () => {
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
      { field: 'repeatPassword', code: 'errorMatch' },
    ])
    for (const [weak, code] of [
      ['Password1!', 'errorPasswordBreached'],
      ['Novikova-Olga-7', 'errorPasswordPersonal'],
    ])
      expect(await faults(formOf(invited, { fio: 'Novikova Olga', password: weak, repeatPassword: weak }))).toEqual([
        { field: 'password', code },
      ])
    // a proof of one number isn't valid for another
    const proven = await prove(browser, invited.guid)
    expect(await faults(formOf(invited, { mobile }))).toEqual([{ field: 'mobile', code: 'errorMobileUnverified' }])
    // and not for another invitation
    expect(await faults(formOf(await invite(), { mobile: proven }))).toEqual([
      { field: 'mobile', code: 'errorMobileUnverified' },
    ])
    expect(await accountOf(invited.email)).toBeUndefined()
    expect((await rowOf(invited)).status).toBe('active')
    expect(await signedInStatus(browser)).toBe(401)
  })

  test('requires the agreements of the domain, in their version', async () => {
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
    expect(await say(browser, { hash: invited.guid, fio: 'Новикова Ольга Игоревна' })).toMatchObject({
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

  test('50 at once: one is accepted, the others are refused; one account, one mail', async () => {
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

  test.each<[string, (guid: string) => ReturnType<typeof say>]>([
    ['accepts', (guid) => say(new Browser(), formOf({ guid }))],
    ['asks for a code', (guid) => askCode(new Browser(), guid, newMobile())],
    ['enters a code', (guid) => enterCode(new Browser(), guid, newMobile(), '0000')],
  ])(
    'whoever %s while somebody else accepts learns that it is used, not that their e-mail has an account',
    async (_, ask) => {
      const invited = await invite()
      const answer = await db().transaction(async (tx) => {
        // the call has read the open invitation, and waits for its roles
        await tx.execute(sql`lock table ${invitationRoles} in access exclusive mode`)
        return outsideTransaction(async () => {
          const asked = ask(invited.guid)
          await somebodyWaits(tx)
          await createUser({ email: invited.email })
          await setInvitation(invited.id, { status: 'success' })
          return { asked }
        })
      })
      expect(await answer.asked).toMatchObject({ status: 400, body: { code: 'used' } })
    },
  )

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
