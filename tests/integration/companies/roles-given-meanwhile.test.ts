import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db, type Transaction } from '@/db/client'
import {
  contractors,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
  users,
} from '@/db/schema'
import { outsideTransaction } from '@/db/scope'
import { allowAccess, approveWithContractor, createAccessRequests } from '@/lib/companies/access-requests/contract'
import { changeContactRoles } from '@/lib/companies/colleagues/contract'
import { asked, manager, requester, requestRow } from '../../factories/access-requests'
import type { Answered } from '../../factories/browser'
import { type AnyContract, callerFor } from '../../factories/caller'
import { createContractor, createContractorRole } from '../../factories/companies'
import { managedColleague } from '../../factories/contacts'
import { rowOf, say, signedIn } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { methodIdsOf } from '../../factories/roles'
import { useTestDatabase } from '../../setup/database'
import { somebodyWaits } from '../../setup/eventually'

useTestDatabase()

type Table = typeof roles | typeof organizations | typeof contractors | typeof users
type Place = { roleId: string; organizationId: string; contractorId: string }

/**
 * Makes a call while somebody changes what it gives: the row is locked as its form locks it, the call gets as far as it
 * can, and then the change is committed.
 */
async function meanwhile(
  table: Table,
  id: string,
  change: (tx: Transaction) => Promise<unknown>,
  call: () => Promise<Answered>,
): Promise<Answered> {
  const { answer } = await db().transaction(async (tx) => {
    await tx.execute(sql`select from ${table} where id = ${id} for update`)
    await change(tx)
    const answer = outsideTransaction(call)
    await somebodyWaits(tx)
    return { answer }
  })
  return answer
}

const disable = (table: Table, id: string) => (tx: Transaction) =>
  tx.execute(sql`update ${table} set enabled = false where id = ${id}`)

/** What happens to what is being given, and with which code it is refused then. */
const changes: Record<string, [code: string, (place: Place, call: () => Promise<Answered>) => Promise<Answered>]> = {
  'gets a stronger method': [
    'forbiddenRole',
    async ({ roleId }, call) => {
      const [methodId = ''] = await methodIdsOf('users.write')
      return meanwhile(roles, roleId, (tx) => tx.insert(roleMethods).values({ roleId, methodId }), call)
    },
  ],
  'is disabled': ['errorRole', ({ roleId }, call) => meanwhile(roles, roleId, disable(roles, roleId), call)],
  'is closed with its organization': [
    'errorOrganization',
    ({ organizationId }, call) =>
      meanwhile(organizations, organizationId, disable(organizations, organizationId), call),
  ],
  'is closed with its contractor': [
    'notFound',
    ({ contractorId }, call) => meanwhile(contractors, contractorId, disable(contractors, contractorId), call),
  ],
}
const named = Object.entries(changes).map(([what, [code, during]]) => [what, code, during] as const)

const codesOf = ({ body }: Answered) => [
  body.code,
  ...((body.data as { errorList?: { code: string }[] } | undefined)?.errorList ?? []).map(({ code }) => code),
]
const heldBy = (userId: string) => db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, userId))
const companiesOf = (userId: string) => db().$count(userContractors, eq(userContractors.userId, userId))

describe.each<[string, AnyContract]>([
  ['approving with a contractor', approveWithContractor],
  ['allowing', allowAccess],
])('%s', (_, contract) => {
  test.each(named)('gives no role that %s meanwhile', async (_what, code, during) => {
    const { caller, company, from } = await asked()
    const role = await createContractorRole()
    const place = { roleId: role.id, organizationId: company.organization.id, contractorId: company.contractor.id }
    const answer = await during(place, () =>
      caller.send(contract, {
        body: {
          requestIds: [from.requestId],
          contractorId: place.contractorId,
          contractorRoles: [{ organizationId: place.organizationId, rolesIds: [place.roleId] }],
        },
      }),
    )
    // with its organization the manager's own role is closed
    expect(codesOf(answer)).toContain(code === 'errorOrganization' ? 'notFound' : code)
    expect(await heldBy(from.userId)).toEqual([])
    expect(await companiesOf(from.userId)).toBe(0)
    expect((await requestRow(from.requestId)).status).toBe('considered')
  })
})

describe.each<[string, AnyContract]>([
  ['approving with a contractor', approveWithContractor],
  ['allowing', allowAccess],
])('%s', (_, contract) => {
  const given = ({ company, from }: Awaited<ReturnType<typeof asked>>, roleId: string) => ({
    body: {
      requestIds: [from.requestId],
      contractorId: company.contractor.id,
      contractorRoles: [{ organizationId: company.organization.id, rolesIds: [roleId] }],
    },
  })

  test('is nothing for a manager who loses the company meanwhile', async () => {
    const scene = await asked()
    const { caller, company, from, id } = scene
    const role = await createContractorRole()
    const lose = (tx: Transaction) => tx.delete(userContractors).where(eq(userContractors.userId, id))
    const answer = await meanwhile(contractors, company.contractor.id, lose, () =>
      caller.send(contract, given(scene, role.id)),
    )
    expect(answer).toMatchObject({ status: 404 })
    expect(await companiesOf(from.userId)).toBe(0)
    expect((await requestRow(from.requestId)).status).toBe('considered')
  })

  test('finds nobody whose account is deleted meanwhile', async () => {
    const scene = await asked()
    const role = await createContractorRole()
    const { userId } = scene.from
    const answer = await meanwhile(
      users,
      userId,
      (tx) => tx.delete(users).where(eq(users.id, userId)),
      () => scene.caller.send(contract, given(scene, role.id)),
    )
    expect(answer).toMatchObject({ status: 404, body: { code: 'notFound' } })
  })
})

test('of many decisions those after the loss of the company are refused, and none is half', async () => {
  const { caller, company, inn, id } = await asked()
  const from = await Promise.all(Array.from({ length: 12 }, () => requester(inn)))
  const body = { requestIds: from.map(({ requestId }) => requestId), contractorId: company.contractor.id }
  // the fourth decision waits for its person, while the manager loses the company
  const { answer } = await db().transaction(async (tx) => {
    await tx.execute(sql`select from users where id = ${from[3]?.userId} for update`)
    const answer = outsideTransaction(() => caller.call(approveWithContractor, { body }))
    await somebodyWaits(tx)
    await tx.delete(userContractors).where(eq(userContractors.userId, id))
    return { answer }
  })
  const { results } = await answer
  expect(results.map(({ code }) => code)).toEqual([null, null, null, ...Array(9).fill('notFound')])
  for (const [n, { requestId, userId }] of from.entries()) {
    expect((await requestRow(requestId)).status).toBe(n < 3 ? 'approved' : 'considered')
    expect(await companiesOf(userId)).toBe(n < 3 ? 1 : 0)
  }
})

test.each(named)('a contact gets no role that %s meanwhile', async (_what, code, during) => {
  const { caller, company, person, role } = await managedColleague()
  const fresh = await createContractorRole()
  const place = { roleId: fresh.id, organizationId: company.organization.id, contractorId: company.contractor.id }
  const answer = await during(place, () =>
    caller.send(changeContactRoles, {
      body: {
        userId: person.id,
        contractorId: place.contractorId,
        access: [{ organizationId: place.organizationId, roles: [role.id, fresh.id] }],
      },
    }),
  )
  expect(codesOf(answer)).toContain(code)
  expect((await heldBy(person.id)).map(({ roleId }) => roleId)).toEqual([role.id])
})

test.each(named)('an invitation gives no role that %s meanwhile', async (_what, _code, during) => {
  const invited = await invite()
  const { user, browser } = await signedIn({ email: invited.email })
  const place = {
    roleId: invited.role.id,
    organizationId: invited.organization.id,
    contractorId: invited.contractor.id,
  }
  const answer = await during(place, () => say(browser, { hash: invited.guid }))
  expect(answer).toMatchObject({ status: 400, body: { code: 'canceled' } })
  expect(await heldBy(user.id)).toEqual([])
})

test('an invitation is accepted by nobody whose account is deleted meanwhile', async () => {
  const invited = await invite()
  const { user, browser } = await signedIn({ email: invited.email })
  const lose = (tx: Transaction) => tx.delete(users).where(eq(users.id, user.id))
  const answer = await meanwhile(users, user.id, lose, () => say(browser, { hash: invited.guid }))
  expect(answer).toMatchObject({ status: 401 })
  expect((await rowOf(invited)).status).toBe('active')
})

test('nobody is let into a disabled contractor, not by who manages all and without roles either', async () => {
  const company = await createContractor()
  const { caller } = await manager()
  const person = await callerFor(createAccessRequests)
  const { requests } = await person.call(createAccessRequests, {
    body: { companies: [{ name: 'ООО «Вектор»', inn: company.contractor.inn ?? '', kpp: '770101001', roles: [] }] },
  })
  await db().update(contractors).set({ enabled: false }).where(eq(contractors.id, company.contractor.id))
  for (const contract of [approveWithContractor, allowAccess]) {
    const body = { requestIds: requests.map(({ requestId }) => requestId), contractorId: company.contractor.id }
    expect((await caller.send(contract, { body })).status).toBe(404)
  }
  expect(await db().$count(userContractors, eq(userContractors.contractorId, company.contractor.id))).toBe(0)
})
