import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  history,
  invitationRoles,
  invitations,
  roleMethods,
  userContractorRoles,
  userContractors,
  users,
} from '@/db/schema'
import { acceptByRegistration } from '@/lib/joining/invitations/auto-success'
import { expireInvitations } from '@/lib/joining/invitations/expire'
import { createInvitation, resendInvitation, revokeInvitation } from '@/lib/joining/invitations/manage'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { createContractor, createContractorRole, join, newEmail } from '../../factories/companies'
import { look, mailsTo, past, rolesOf, rowOf, say, setInvitation, signedIn } from '../../factories/invitation-calls'
import { contextOf, createMaster, invite, linkSentTo } from '../../factories/invitations'
import { lastMessageTo } from '../../factories/messages'
import { methodIdsOf } from '../../factories/roles'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

type Invited = Awaited<ReturnType<typeof invite>>

describe('inviting', () => {
  const wish = (invited: Invited, more: object = {}) => ({
    email: newEmail(),
    contractorId: invited.contractor.id,
    access: [{ organizationId: invited.organization.id, roles: [invited.role.id] }],
    ...more,
  })

  test('thirty times at once for one e-mail stores one invitation and sends one mail', async () => {
    const invited = await invite()
    const email = newEmail()
    const answers = await thirty((n) =>
      createInvitation(invited.master.ctx, wish(invited, { email: n % 2 ? email.toUpperCase() : email })).then(
        () => 200,
        ({ code }) => code,
      ),
    )
    expect(answers.toSorted()).toEqual([200, ...Array.from({ length: 29 }, () => 'invitationActive')])
    expect(await db().$count(invitations, eq(invitations.email, email))).toBe(1)
    expect(await mailsTo(email, 'invitation')).toBe(1)
  })

  test('requires masterAccountAccess for that contractor, or for the platform', async () => {
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

  test('grants only contractor roles, in available organizations, and no method that the inviter lacks', async () => {
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
    // they hold the role for another contractor, so they can't grant it here
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

  test('refuses addresses that mail programs read differently', async () => {
    const invited = await invite()
    for (const email of ['"a@b"@polaris.example', 'a@polaris.example,b@evil.example', 'a＠polaris.example', 'a'])
      await expect(createInvitation(invited.master.ctx, wish(invited, { email }))).rejects.toMatchObject({
        status: 400,
        data: { errorList: [{ field: 'email', code: 'errorEmail' }] },
      })
  })

  test('is possible once at a time, also in parallel, and not for members; an expired invitation can be replaced', async () => {
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
    await setInvitation(invited.id, { expiresAt: past() })
    await createInvitation(ctx, wish(invited, { email: invited.email }))
    expect((await rowOf(invited)).status).toBe('deactivated')
  })

  test('uses links to the domain’s own address, whatever the request contains', async () => {
    const invited = await invite()
    const browser = invited.master.browser.copy('evil.example')
    const email = newEmail()
    await createInvitation(await contextOf(browser), wish(invited, { email }))
    const { content } = (await lastMessageTo(email)) ?? {}
    expect(content?.text).toContain('http://localhost:3000/platform/invitation/')
    expect(JSON.stringify(content)).not.toContain('evil.example')
  })

  test('again after a minute makes a new link, and the previous one is dead', async () => {
    const invited = await invite()
    const { ctx } = invited.master
    expect((await resendInvitation(ctx, { id: invited.id })).resendIn).toBeGreaterThan(50)
    expect(await mailsTo(invited.email, 'invitation')).toBe(1)
    await setInvitation(invited.id, { sentAt: new Date(Date.now() - 61_000), expiresAt: past() })
    const tries = await Promise.all(Array.from({ length: 5 }, () => resendInvitation(ctx, { id: invited.id })))
    expect(tries.every(({ resendIn }) => resendIn > 50)).toBe(true)
    expect(await mailsTo(invited.email, 'invitation')).toBe(2)
    const guid = await linkSentTo(invited.email)
    expect(guid).not.toBe(invited.guid)
    expect((await look(new Browser(), invited.guid)).status).toBe(404)
    expect((await look(new Browser(), guid)).status).toBe(200)
    await setInvitation(invited.id, { sentAt: new Date(Date.now() - 61_000), status: 'success' })
    await expect(resendInvitation(ctx, { id: invited.id })).rejects.toMatchObject({
      status: 409,
      code: 'invitationClosed',
    })
  })

  test('to one address ends at ten mails a day, in whatever company, and what is refused costs nothing', async () => {
    const invited = await invite()
    const { ctx } = invited.master
    const email = newEmail()
    const mine = await createContractor()
    await join(mine, invited.master.user.id, [(await createContractorRole(['masterAccountAccess'])).id])
    const again = async (company: typeof mine | Invited) => {
      const access = [{ organizationId: company.organization.id, roles: [invited.role.id] }]
      const { id } = await createInvitation(ctx, { email, contractorId: company.contractor.id, access })
      await expect(createInvitation(ctx, wish(invited, { email: email.toUpperCase(), access: [] }))).rejects.toThrow()
      return id
    }
    for (let n = 0; n < 9; n++) await revokeInvitation(ctx, { id: await again(n % 2 ? mine : invited) })
    const last = await again(invited)
    await expect(again(mine)).rejects.toMatchObject({ status: 429, code: 'tooManyAttempts' })
    await setInvitation(last, { sentAt: new Date(Date.now() - 61_000) })
    await expect(resendInvitation(ctx, { id: last })).rejects.toMatchObject({ status: 429 })
    expect(await mailsTo(email, 'invitation')).toBe(10)
    expect(await db().$count(invitations, eq(invitations.email, email))).toBe(10)
    await createInvitation(ctx, wish(invited))
  })

  test('is revoked: the link dies, and a person with a live link gets a mail', async () => {
    const invited = await invite()
    await revokeInvitation(invited.master.ctx, { id: invited.id })
    expect(await look(new Browser(), invited.guid)).toMatchObject({ status: 400, body: { code: 'canceled' } })
    expect(await mailsTo(invited.email, 'invitationRevoked')).toBe(1)
    await expect(revokeInvitation(invited.master.ctx, { id: invited.id })).rejects.toMatchObject({ status: 409 })
  })
})

test('ends: expired invitations are closed, with their history', async () => {
  const [due, fresh] = [await invite(), await invite()]
  await setInvitation(due.id, { expiresAt: past() })
  await Promise.all([expireInvitations(), expireInvitations()])
  expect((await rowOf(due)).status).toBe('deactivated')
  expect((await rowOf(fresh)).status).toBe('active')
  const rows = await db()
    .select()
    .from(history)
    .where(and(eq(history.entityId, due.id), eq(history.type, 'update')))
  expect(rows).toMatchObject([{ field: 'status', previous: 'active', current: 'deactivated', changerId: null }])
})

test('makes a person who registers a member of every company that invited them', async () => {
  const one = await invite()
  const two = await invite({ email: one.email })
  const dead = await invite({ email: one.email })
  await setInvitation(dead.id, { expiresAt: past() })
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

describe('an inviter who has lost their rights', () => {
  /** Ways in which an inviter loses the right to give the role. */
  const losses: Record<string, (invited: Invited) => Promise<unknown>> = {
    'no longer manages the contractor': ({ master }) =>
      db().delete(userContractorRoles).where(eq(userContractorRoles.userId, master.user.id)),
    'left the contractor': ({ master }) =>
      db().delete(userContractors).where(eq(userContractors.userId, master.user.id)),
    'is disabled': ({ master }) => db().update(users).set({ enabled: false }).where(eq(users.id, master.user.id)),
    'is deleted': ({ master }) => db().delete(users).where(eq(users.id, master.user.id)),
    'never held a method that the role has since': async ({ role }) => {
      const [method = ''] = await methodIdsOf('settings.write')
      await db().insert(roleMethods).values({ roleId: role.id, methodId: method })
    },
  }

  test.each(Object.entries(losses))('gives nothing by an open invitation: %s', async (_, lose) => {
    const invited = await invite()
    const early = new Browser()
    expect((await look(early, invited.guid)).status).toBe(200)
    await lose(invited)
    expect((await look(early, invited.guid)).body).toMatchObject({ code: 'canceled' })
    const { browser, user } = await signedIn({ email: invited.email })
    expect((await say(browser, { hash: invited.guid })).body).toMatchObject({ code: 'canceled' })
    expect(await rolesOf(user.id)).toEqual([])
    // nor by registering without the link
    const ctx = await contextOf(new Browser())
    await db().transaction((tx) => acceptByRegistration(tx, ctx, { userId: user.id, email: invited.email }))
    expect(await rolesOf(user.id)).toEqual([])
    expect(await rowOf(invited)).toMatchObject({ status: 'active' })
  })

  test('keeps the roles that they may still give, and another manager takes the invitation over by sending it again', async () => {
    const invited = await invite()
    const other = await createMaster(invited, ['users.read'])
    const strong = await createContractorRole(['users.read'])
    await db()
      .insert(invitationRoles)
      .values({ invitationId: invited.id, organizationId: invited.organization.id, roleId: strong.id })
    const given = async (guid: string) =>
      ((await look(new Browser(), guid)).body.organizations as { roles: { roleId: string }[] }[])
        .flatMap(({ roles }) => roles.map(({ roleId }) => roleId))
        .sort()
    expect(await given(invited.guid)).toEqual([invited.role.id])
    await losses['is disabled']?.(invited)
    await setInvitation(invited.id, { sentAt: new Date(Date.now() - 61_000) })
    await resendInvitation(other.ctx, { id: invited.id })
    expect(await rowOf(invited)).toMatchObject({ inviterId: other.user.id })
    expect(await given(await linkSentTo(invited.email))).toEqual([invited.role.id, strong.id].sort())
  })
})

test.each(['Зайдите на evil.example', 'https://evil.example/x', 'Вы выиграли приз, ответьте на письмо'])(
  'an inviter’s name that is none reaches neither the mail nor the page of the link: %s',
  async (fio) => {
    const invited = await invite()
    await db().update(users).set({ fio, firstName: fio }).where(eq(users.id, invited.master.user.id))
    await db()
      .update(invitations)
      .set({ sentAt: new Date(Date.now() - 120_000) })
      .where(eq(invitations.id, invited.id))
    await resendInvitation(invited.master.ctx, { id: invited.id })
    const content = (await lastMessageTo(invited.email))?.content
    expect(JSON.stringify(content)).not.toContain(fio)
    expect(JSON.stringify(content).replaceAll('\u2060', '')).not.toContain(fio)
    expect(content?.text).toContain(invited.master.user.email)
    const page = await look(new Browser(), await linkSentTo(invited.email))
    expect(page.body).toMatchObject({ inviter: invited.master.user.email })
  },
)
