import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications } from '@/db/schema'
import * as roleCalls from '@/lib/access/roles/contract'
import { accessOf } from '@/lib/access/roles/service'
import * as holderCalls from '@/lib/accounts/role-holders/contract'
import type { Contract } from '@/lib/base/contracts/contract'
import * as contractorCalls from '@/lib/companies/contractors/contract'
import * as organizationCalls from '@/lib/companies/organizations/contract'
import { emptyRequisites } from '@/lib/companies/requisites'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { type AnyContract, Caller, type Input } from '../../factories/caller'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { startProvider } from '../../factories/oidc'
import { methodIdsOf, plantApplicationMethod, plantRole, signedInAdministrator } from '../../factories/roles'
import { handlerOf } from '../../factories/routes'
import { callAs, createServiceAccount, holdMethods } from '../../factories/service-accounts'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

const answered = async (caller: Caller, contract: unknown, sent: Input) => {
  const { status, body } = await caller.send(contract as AnyContract, sent)
  return status === 200 ? 'done' : `${status} ${(body as { code: string }).code}`
}
/** All rows that rights are made of, to compare before and after. */
const everything = async () => {
  const tables = [
    'roles',
    'role_methods',
    'user_roles',
    'user_contractor_roles',
    'user_contractors',
    'organizations',
    'contractors',
    'contractor_organizations',
    'invitations',
    'invitation_roles',
  ]
  const contents = tables.map(async (table) => {
    const { rows } = await db().execute(sql`select to_jsonb(t)::text as row from ${sql.identifier(table)} t order by 1`)
    return [table, rows] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

test('an id of another kind is nobody’s, wherever it is sent, and changes nothing', async () => {
  const { caller } = await signedInAdministrator()
  const { contractor, organization, role, id: invitation } = await plantInvitation()
  const person = await createUser({ roles: [] })
  await join({ contractor, organization, organizations: [organization] }, person.id, [role.id])
  const [method = ''] = await methodIdsOf('history.read')
  const kinds = {
    role: role.id,
    organization: organization.id,
    contractor: contractor.id,
    person: person.id,
    method,
    invitation,
  }
  type Kind = keyof typeof kinds
  const others = (kind: Kind) => Object.entries(kinds).flatMap(([name, id]) => (name === kind ? [] : [id]))
  const named = { name: 'Чужой', nameEn: '', ...emptyRequisites }
  const asRole = { name: 'Чужая', nameEn: '', comment: '', roleType: 'contractor', methods: [] }
  const holding = { organizationId: organization.id, contractorId: contractor.id }
  /** Calls by the kind of id in their address, with an input that suits that kind. */
  const addressed: [Kind, Contract, Input][] = [
    ['role', roleCalls.readRole, {}],
    ['role', roleCalls.updateRole, { body: asRole }],
    ['role', roleCalls.enableRole, { body: { enabled: false } }],
    ['role', roleCalls.deleteRole, {}],
    ['role', roleCalls.roleEffect, { query: {} }],
    ['role', holderCalls.listHolders, { query: {} }],
    ['role', holderCalls.addHolders, { body: { users: [person.id], ...holding } }],
    ['role', holderCalls.removeHolder, { query: { userId: person.id, ...holding } }],
    ['organization', organizationCalls.readOrganization, {}],
    ['organization', organizationCalls.updateOrganization, { body: named }],
    ['organization', organizationCalls.enableOrganization, { body: { enabled: false } }],
    ['organization', organizationCalls.deleteOrganization, {}],
    ['contractor', contractorCalls.readContractor, {}],
    [
      'contractor',
      contractorCalls.updateContractor,
      { body: { name: 'Чужой', ...emptyRequisites, availableOrganizations: [] } },
    ],
    ['contractor', contractorCalls.enableContractor, { body: { enabled: false } }],
    ['contractor', contractorCalls.deleteContractor, {}],
    ['contractor', contractorCalls.previewContractor, { query: {} }],
    ['contractor', contractorCalls.listContractorPeople, { query: {} }],
    ['contractor', contractorCalls.listContractorInvitations, { query: {} }],
  ]
  const before = await everything()
  for (const [kind, contract, sent] of addressed)
    for (const id of others(kind))
      expect(await answered(caller, contract, { ...sent, params: { id } }), `${contract.name} ${id}`).toMatch(/^404 /)

  /** Ids in a body or query, each of another kind than its field takes. */
  const inside: [Kind, (id: string) => [Contract, Input]][] = [
    ['method', (id) => [roleCalls.createRole, { body: { ...asRole, methods: [id] } }]],
    ['person', (id) => [holderCalls.addHolders, { params: { id: role.id }, body: { users: [id], ...holding } }]],
    [
      'organization',
      (id) => [
        holderCalls.addHolders,
        { params: { id: role.id }, body: { users: [person.id], ...holding, organizationId: id } },
      ],
    ],
    [
      'contractor',
      (id) => [
        holderCalls.addHolders,
        { params: { id: role.id }, body: { users: [person.id], ...holding, contractorId: id } },
      ],
    ],
    ['person', (id) => [holderCalls.removeHolder, { params: { id: role.id }, query: { userId: id, ...holding } }]],
    [
      'organization',
      (id) => [
        contractorCalls.createContractor,
        { body: { name: 'Чужой', ...emptyRequisites, availableOrganizations: [id] } },
      ],
    ],
    ['contractor', (id) => [contractorCalls.mergeContractors, { body: { targetId: contractor.id, sourceIds: [id] } }]],
    ['contractor', (id) => [contractorCalls.mergeContractors, { body: { targetId: id, sourceIds: [contractor.id] } }]],
  ]
  for (const [kind, make] of inside)
    for (const id of others(kind)) {
      const [contract, sent] = make(id)
      expect(await answered(caller, contract, sent), `${contract.name} ${id}`).toMatch(/^40[04] /)
    }
  expect(await everything()).toEqual(before)
})

test('a method of a disabled application is granted by nobody who lacks it: it acts again when it is enabled', async () => {
  const { application, method } = await plantApplicationMethod()
  await db().update(applications).set({ enabled: false }).where(eq(applications.id, application.id))
  const role = await plantRole([method.id])
  const { user, browser } = await signedInWith(['roles.read', 'roles.write'])
  const caller = new Caller(browser)
  const body = { name: 'Хитрая', nameEn: '', comment: '', roleType: 'systemic', methods: [method.id] }
  expect(await answered(caller, roleCalls.createRole, { body })).toBe('403 forbiddenRole')
  const give = { params: { id: role.id }, body: { users: [user.id] } }
  expect(await answered(caller, holderCalls.addHolders, give)).toBe('403 forbiddenRole')
  expect((await accessOf(user.id)).methodIds.has(method.id)).toBe(false)
})

test('a program whose methods shrink while it gives roles gives none after the change, and leaves none half given', async () => {
  const { application, token } = await createServiceAccount(running, ['roles.read', 'roles.write', 'history.read'])
  const role = await plantRole(await methodIdsOf('history.read'))
  const people = await thirty(() => createUser({ roles: [] }))
  const give = (userId: string) =>
    callAs(token, handlerOf(holderCalls.addHolders as unknown as AnyContract), holderCalls.addHolders, {
      params: { id: role.id },
      body: { users: [userId] },
    })
  const answers = await thirty(async (n) => {
    if (n === 10) await holdMethods(application.id, ['roles.read', 'roles.write'])
    return (await give(people[n]?.id ?? '')).status
  })
  const holding = await Promise.all(people.map(async ({ id }) => (await accessOf(id)).methods.has('history.read')))
  expect(holding).toEqual(answers.map((status) => status === 200))
  for (const status of answers) expect([200, 403]).toContain(status)
  const { id } = await createUser({ roles: [] })
  expect(await give(id)).toMatchObject({ status: 403, body: { code: 'forbiddenRole' } })
  expect((await accessOf(id)).methods.size).toBe(0)
})

test('a stale version changes nothing, whatever else the body says', async () => {
  const { caller } = await signedInAdministrator()
  const { contractor, organization } = await createContractor()
  const role = await createContractorRole()
  const updatedAt = '2020-01-01T00:00:00.000Z'
  const before = await everything()
  const requisites = { ...emptyRequisites, updatedAt }
  const stale: [Contract, Input][] = [
    [
      roleCalls.updateRole,
      {
        params: { id: role.id },
        body: { name: 'x', nameEn: '', comment: '', roleType: 'contractor', methods: [], updatedAt },
      },
    ],
    [roleCalls.enableRole, { params: { id: role.id }, body: { enabled: false, updatedAt } }],
    [
      organizationCalls.updateOrganization,
      { params: { id: organization.id }, body: { name: 'x', nameEn: '', ...requisites } },
    ],
    [organizationCalls.enableOrganization, { params: { id: organization.id }, body: { enabled: false, updatedAt } }],
    [
      contractorCalls.updateContractor,
      { params: { id: contractor.id }, body: { name: 'x', availableOrganizations: [], ...requisites } },
    ],
    [contractorCalls.enableContractor, { params: { id: contractor.id }, body: { enabled: false, updatedAt } }],
    [
      contractorCalls.mergeContractors,
      {
        body: {
          targetId: contractor.id,
          sourceIds: [(await createContractor()).contractor.id],
          versions: { [contractor.id]: updatedAt },
        },
      },
    ],
  ]
  const planted = await everything()
  for (const [contract, sent] of stale)
    expect(await answered(caller, contract, sent), contract.name).toBe('409 conflict')
  expect(await everything()).toEqual(planted)
  expect(planted.roles).toEqual(before.roles)
})
