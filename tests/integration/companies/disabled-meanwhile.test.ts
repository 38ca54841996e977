import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import type { Ctx } from '@/lib/base/context/ctx'
import * as decisions from '@/lib/companies/access-requests/decide'
import * as requests from '@/lib/companies/access-requests/service'
import * as contacts from '@/lib/companies/colleagues/manage'
import * as companies from '@/lib/companies/own-companies/service'
import * as imports from '@/lib/joining/invitation-import/service'
import { acceptInvitation } from '@/lib/joining/invitations/accept'
import * as own from '@/lib/joining/received-invitations/service'
import * as sent from '@/lib/joining/sent-invitations/service'
import * as subscriptions from '@/lib/my-account/subscriptions/service'
import { compose } from '@/lib/wiring/compose'
import { emailOf, manager, newInn, requester } from '../../factories/access-requests'
import { createContractor, createContractorRole, join, newEmail, plantInvitation } from '../../factories/companies'
import { contextOf } from '../../factories/invitations'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

// Requests that passed every check just before their account was disabled (docs/rules/profile.md#a-locked-profile).

useTestDatabase()
beforeAll(() => compose())

/** Every row of the tables, but for what reading alone changes. */
async function everything(): Promise<string[]> {
  const tables = await db().execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const lines = tables.rows.map(
    ({ name }) => sql`select ${name} || ' ' || t::text as line from ${sql.identifier(name)} t`,
  )
  const { rows } = await db().execute<{ line: string }>(
    sql`select line from (${sql.join(lines, sql` union all `)}) all_lines order by line`,
  )
  return rows.map(({ line }) => line)
}

type Planted = Awaited<ReturnType<typeof plantInvitation>>
type Verbs = Record<string, (ctx: Ctx) => Promise<unknown>>

/** What a manager of a company does with others. */
async function ofManager() {
  const company = await createContractor()
  const master = await manager(company)
  const role = await createContractorRole()
  const colleague = await createUser()
  await join(company, colleague.id, [role.id])
  const inn = company.contractor.inn ?? ''
  const asked = await Promise.all(Array.from({ length: 4 }, () => requester(inn)))
  const [one, two, three, four] = asked.map(({ requestId }) => [requestId]) as [string[], string[], string[], string[]]
  const contractorId = company.contractor.id
  const access = [{ organizationId: company.organization.id, roles: [role.id] }]
  const contractorRoles = [{ organizationId: company.organization.id, rolesIds: [role.id] }]
  const given = { contractorId, contractorRoles, reason: 'Нет договора' }
  const ctx = await contextOf(master.caller.browser)
  const open = await sent.createInvitation(ctx, { body: { email: newEmail(), contractorId, access } })
  const again = await sent.createInvitation(ctx, { body: { email: newEmail(), contractorId, access } })
  await db().execute(sql`update invitations set sent_at = sent_at - interval '1 hour' where id = ${again.id}`)
  const run = await imports.startInvitationImport(ctx, { body: { text: newEmail(), contractorId, access } })
  await imports.stopInvitationImport(ctx, { params: { id: run.id } })
  const who = { userId: colleague.id, contractorId }
  const verbs: Verbs = {
    approve: (ctx) => decisions.approveWithContractor(ctx, { body: { requestIds: one, ...given } }),
    allow: (ctx) => decisions.allowAccess(ctx, { body: { requestIds: two, ...given } }),
    refuse: (ctx) => decisions.refuseAccess(ctx, { body: { requestIds: three, ...given } }),
    duplicate: (ctx) => decisions.markDuplicate(ctx, { body: { requestIds: four, ...given } }),
    changeRoles: (ctx) => contacts.changeContactRoles(ctx, { body: { ...who, access: [] } }),
    removeContact: (ctx) => contacts.removeContact(ctx, { query: who }),
    invite: (ctx) => sent.createInvitation(ctx, { body: { email: newEmail(), contractorId, access } }),
    resend: (ctx) => sent.resendInvitation(ctx, { params: { id: again.id } }),
    revoke: (ctx) => sent.revokeInvitation(ctx, { params: { id: open.id } }),
    startImport: (ctx) => imports.startInvitationImport(ctx, { body: { text: newEmail(), contractorId, access } }),
  }
  return { id: master.id, ctx, verbs }
}

/** What a person does for themselves. */
async function ofPerson() {
  const company = await createContractor()
  const { caller, userId, requestId } = await requester(newInn())
  await join(company, userId, [(await createContractorRole()).id])
  const email = await emailOf(userId)
  await db().update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, userId))
  const planted = await Promise.all(Array.from({ length: 3 }, () => plantInvitation({ email: email.toLowerCase() })))
  const [accepted, declined, linked] = planted as [Planted, Planted, Planted]
  const companiesAsked = [{ name: 'ООО «Вектор»', inn: newInn(), kpp: '770101001', roles: [] }]
  const news = { subscribeId: 'news', channelId: 'email', enabled: true, period: 'daily' } as const
  const verbs: Verbs = {
    ask: (ctx) => requests.createAccessRequests(ctx, { body: { companies: companiesAsked } }),
    revokeRequest: (ctx) => requests.revokeAccessRequest(ctx, { params: { requestId } }),
    leave: (ctx) => companies.leaveCompany(ctx, { params: { id: company.contractor.id } }),
    acceptOwn: (ctx) => own.acceptOwnInvitation(ctx, { params: { id: accepted.id }, body: {} as never }),
    declineOwn: (ctx) => own.declineOwnInvitation(ctx, { params: { id: declined.id } }),
    acceptByLink: (ctx) => acceptInvitation(ctx, { body: { hash: linked.guid } as never }),
    subscribe: (ctx) => subscriptions.putSubscriptions(ctx, { body: { subscribes: [news] } }),
  }
  return { id: userId, ctx: await contextOf(caller.browser), verbs }
}

test.each([
  ['a manager', ofManager],
  ['a person', ofPerson],
])('a request of %s that was under way when the account was disabled changes nothing', async (_, prepare) => {
  const { id, ctx, verbs } = await prepare()
  await db().update(users).set({ enabled: false }).where(eq(users.id, id))
  const changed: string[] = []
  for (const [name, verb] of Object.entries(verbs)) {
    const before = await everything()
    const status = await verb(ctx).then(
      () => 200,
      (error) => (error as { status?: number }).status,
    )
    const after = await everything()
    if (status === 200 || after.join() !== before.join()) changed.push(`${name}: ${status}`)
  }
  expect(changed).toEqual([])
  // enabled again, the account may do each of it: nothing else refused it
  await db().update(users).set({ enabled: true }).where(eq(users.id, id))
  for (const [name, verb] of Object.entries(verbs)) await expect(verb(ctx), name).resolves.toBeDefined()
})
