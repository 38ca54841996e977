import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import * as requests from '@/lib/companies/access-requests/contract'
import * as contacts from '@/lib/companies/colleagues/contract'
import * as companies from '@/lib/companies/own-companies/contract'
import * as imports from '@/lib/joining/invitation-import/contract'
import * as own from '@/lib/joining/received-invitations/contract'
import * as sent from '@/lib/joining/sent-invitations/contract'
import { contracts } from '@/lib/wiring/contracts'
import { manager, requester } from '../../factories/access-requests'
import { Browser } from '../../factories/browser'
import { type AnyContract, Caller, callerFor, type Input } from '../../factories/caller'
import { createContractor, createContractorRole, join, newEmail } from '../../factories/companies'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** A company with its manager, a colleague, somebody who asks for access, an open invitation and a stopped list. */
async function createWorld() {
  const company = await createContractor()
  const master = await manager(company)
  const role = await createContractorRole()
  const colleague = await createUser()
  await join(company, colleague.id, [role.id])
  const asking = await requester(company.contractor.inn ?? '')
  const access = [{ organizationId: company.organization.id, roles: [role.id] }]
  const inviting = { contractorId: company.contractor.id, access }
  const invitation = await master.caller.call(sent.createInvitation, { body: { email: newEmail(), ...inviting } })
  const run = await master.caller.call(imports.startInvitationImport, { body: { text: newEmail(), ...inviting } })
  await master.caller.call(imports.stopInvitationImport, { params: { id: run.id } })
  return {
    company,
    master,
    role: role.id,
    ids: {
      contractor: company.contractor.id,
      organization: company.organization.id,
      colleague: colleague.id,
      request: asking.requestId,
      invitation: invitation.id,
      run: run.id,
    },
    /** What nobody outside may read. */
    secrets: [company.contractor.name, company.contractor.inn ?? '', colleague.email, String(colleague.fio)],
  }
}
type World = Awaited<ReturnType<typeof createWorld>>
type Ids = World['ids']

/** Every row of any table that names something of a world, as one text. */
async function stateOf({ ids, master }: World): Promise<string> {
  const named = [...Object.values(ids), master.id].map((id) => `%${id}%`)
  return (await rowsLike(named)).join('\n')
}

/** The rows of all tables whose text is like one of these patterns. */
async function rowsLike(patterns: readonly string[]): Promise<string[]> {
  const tables = await db().execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const ofTables = tables.rows
    .map(({ name }) => name)
    // when a session was used last
    .filter((name) => name !== 'sessions')
    .map((name) => sql`select ${name} || ' ' || t::text as line from ${sql.identifier(name)} t`)
  const { rows } = await db().execute<{ line: string }>(sql`
    select line from (${sql.join(ofTables, sql` union all `)}) lines
    where line like any(${sql.param([...patterns])}::text[]) order by line`)
  return rows.map(({ line }) => line)
}

/** The calls that name something of a company, each with a valid input of its manager. */
const calls: [contract: AnyContract, input: (ids: Ids, role: string) => Input][] = [
  [requests.approveWithContractor, (ids, role) => ({ body: { ...decision(ids), ...given(ids, role) } })],
  [requests.allowAccess, (ids, role) => ({ body: { ...decision(ids), ...given(ids, role) } })],
  [requests.refuseAccess, (ids) => ({ body: { ...decision(ids), reason: 'Нет договора' } })],
  [requests.markDuplicate, (ids) => ({ body: decision(ids) })],
  [requests.listGrantableRoles, (ids) => ({ params: { id: ids.contractor } })],
  [contacts.readContact, (ids) => ({ params: { userId: ids.colleague } })],
  [
    contacts.changeContactRoles,
    (ids) => ({ body: { userId: ids.colleague, contractorId: ids.contractor, access: [] } }),
  ],
  [contacts.removeContact, (ids) => ({ query: { userId: ids.colleague, contractorId: ids.contractor } })],
  [contacts.previewRemoval, (ids) => ({ params: { userId: ids.colleague, contractorId: ids.contractor } })],
  [sent.createInvitation, (ids, role) => ({ body: { email: newEmail(), ...inviting(ids, role) } })],
  [sent.resendInvitation, (ids) => ({ params: { id: ids.invitation } })],
  [sent.revokeInvitation, (ids) => ({ params: { id: ids.invitation } })],
  [imports.checkInvitationImport, (ids, role) => ({ body: { text: newEmail(), ...inviting(ids, role) } })],
  [imports.readInvitationImport, (ids) => ({ params: { id: ids.run } })],
  [imports.readInvitationImportFaults, (ids) => ({ params: { id: ids.run } })],
  [imports.stopInvitationImport, (ids) => ({ params: { id: ids.run } })],
  [imports.resumeInvitationImport, (ids) => ({ params: { id: ids.run } })],
]
const decision = ({ request }: Ids) => ({ requestIds: [request] })
const given = ({ contractor, organization }: Ids, role: string) => ({
  contractorId: contractor,
  contractorRoles: [{ organizationId: organization, rolesIds: [role] }],
})
const inviting = ({ contractor, organization }: Ids, role: string) => ({
  contractorId: contractor,
  access: [{ organizationId: organization, roles: [role] }],
})

/** Calls of these areas that name nothing of a company, or only what is the caller's own. */
const without = [
  ...['listAvailableRoles', 'listAccessRequests', 'createAccessRequests', 'listIncomingRequests'],
  ...['listManagedContractors', 'listContacts', 'listCompanies', 'listSentInvitations', 'listOwnInvitations'],
  // a list can be started once at a time; its check refuses what it refuses
  ...['startInvitationImport', 'listInvitationImports'],
]
/** Calls about the caller themselves, with what is another one's. */
const personal: [contract: AnyContract, input: (ids: Ids) => Input][] = [
  [requests.revokeAccessRequest, (ids) => ({ params: { requestId: ids.request } })],
  [companies.previewLeaving, (ids) => ({ params: { id: ids.contractor } })],
  [companies.leaveCompany, (ids) => ({ params: { id: ids.contractor } })],
  [own.acceptOwnInvitation, (ids) => ({ params: { id: ids.invitation }, body: {} })],
  [own.declineOwnInvitation, (ids) => ({ params: { id: ids.invitation } })],
]

const kinds = ['contractor', 'organization', 'colleague', 'request', 'invitation', 'run'] as const
/** Every mixture of the ids of two worlds with at least one of the other one. */
const mixtures = (mine: Ids, theirs: Ids): Ids[] =>
  Array.from({ length: 2 ** kinds.length - 1 }, (_, n) => ({
    ...mine,
    ...Object.fromEntries(kinds.flatMap((kind, at) => ((n + 1) & (1 << at) ? [[kind, theirs[kind]]] : []))),
  }))

test('the areas of companies, contacts, requests and invitations have no other call', () => {
  const tags = ['companies', 'contacts', 'access-requests', 'invitations']
  const named = [...calls.map(([{ name }]) => name), ...personal.map(([{ name }]) => name), ...without]
  const protectedCalls = contracts.filter(({ tag, access }) => tags.includes(tag) && access !== 'public')
  expect(protectedCalls.map(({ name }) => name).toSorted()).toEqual(named.toSorted())
})

describe('what belongs to a company is reached by its manager and by who manages all', () => {
  let mine: World
  beforeAll(async () => {
    mine = await createWorld()
  })
  const strangers: Record<string, (mine: World, theirs: World) => Promise<Caller>> = {
    nobody: async () => new Caller(new Browser()),
    'somebody without rights': async () => callerFor(requests.createAccessRequests),
    'the manager of another company': async ({ master }) => master.caller,
    'a colleague without rights': async (_, theirs) => {
      const caller = await callerFor(requests.createAccessRequests)
      await join(theirs.company, await caller.serve(async ({ user }) => user?.id ?? ''), [theirs.role])
      return caller
    },
  }
  const named = calls.map(([contract, input]) => [contract.name, contract, input] as const)

  test.each(named)('%s', async (_, contract, input) => {
    const [theirs, others] = [await createWorld(), await createWorld()]
    for (const [who, find] of Object.entries(strangers)) {
      // colleagues see each other
      if (who === 'a colleague without rights' && contract.name === 'readContact') continue
      const stranger = await find(mine, theirs)
      const before = await stateOf(theirs)
      const { status, body } = await stranger.send(contract, input(theirs.ids, theirs.role))
      expect([who, status >= 400 && status < 500]).toEqual([who, true])
      const answer = JSON.stringify(body)
      expect([who, theirs.secrets.filter((secret) => answer.includes(secret))]).toEqual([who, []])
      expect(await stateOf(theirs), who).toBe(before)
    }
    // the same input is right, so the strangers were refused for who they are
    expect(await theirs.master.caller.send(contract, input(theirs.ids, theirs.role))).toMatchObject({ status: 200 })
    const all = await manager()
    const ofRun = contract.path.includes('/import/{id}')
    // a run is its starter's, whoever manages the company
    expect(await all.caller.send(contract, input(others.ids, others.role))).toMatchObject({ status: ofRun ? 404 : 200 })
  })

  test.each(personal.map(([contract, input]) => [contract.name, contract, input] as const))(
    '%s is for the person alone',
    async (_, contract, input) => {
      const theirs = await createWorld()
      const before = await stateOf(theirs)
      for (const caller of [mine.master.caller, await callerFor(contract)])
        expect(await caller.send(contract, input(theirs.ids))).toMatchObject({ status: 404 })
      expect((await new Caller(new Browser()).send(contract, input(theirs.ids))).status).toBe(401)
      expect(await stateOf(theirs)).toBe(before)
    },
  )
})

test('no mixture of own and foreign ids in any field reaches another company', async () => {
  const [mine, theirs] = [await createWorld(), await createWorld()]
  const strong = await createContractorRole(['users.write'])
  const before = await rowsLike(['%'])
  const reached: unknown[] = []
  for (const [contract, input] of calls) {
    const tried = new Set<string>()
    for (const ids of mixtures(mine.ids, theirs.ids)) {
      const hostile = input(ids, mine.role)
      const plain = JSON.stringify({ ...hostile, body: { ...(hostile.body as object), email: '', text: '' } })
      // a mixture of ids that this call doesn't name is its manager's own input
      if (tried.has(plain) || !Object.values(theirs.ids).some((id) => plain.includes(id))) continue
      tried.add(plain)
      const { status, body } = await mine.master.caller.send(contract, hostile)
      const answer = JSON.stringify(body)
      if (status < 400 || status >= 500 || theirs.secrets.some((secret) => answer.includes(secret)))
        reached.push([contract.name, hostile, status, body])
    }
    const beyond = input(mine.ids, strong.id)
    if (JSON.stringify(beyond).includes(strong.id)) {
      const { status, body } = await mine.master.caller.send(contract, beyond)
      if (status !== 403 || body.code !== 'forbiddenRole') reached.push([contract.name, beyond, status, body])
    }
  }
  expect(reached).toEqual([])
  // all of these calls were refused, so no row of any table is another one
  expect(await rowsLike(['%'])).toEqual(before)
})

test.each([
  ['contractor', requests.approveWithContractor, (mine: Ids, role: string) => given(mine, role)],
  ['allow', requests.allowAccess, (mine: Ids, role: string) => given(mine, role)],
  ['failure', requests.refuseAccess, () => ({ reason: 'Нет договора' })],
  ['duplicate', requests.markDuplicate, () => ({})],
] as [string, AnyContract, (mine: Ids, role: string) => object][])(
  'of own and foreign requests in one list, %s decides on the own ones alone',
  async (_, contract, form) => {
    const [mine, theirs] = [await createWorld(), await createWorld()]
    const before = await stateOf(theirs)
    const requestIds = [theirs.ids.request, mine.ids.request, randomUUID()]
    const body = { requestIds, ...form(mine.ids, mine.role) }
    const { results } = (await mine.master.caller.send(contract, { body })).body
    expect(results).toEqual([
      { requestId: requestIds[0], code: 'notFound' },
      { requestId: requestIds[1], code: null },
      { requestId: requestIds[2], code: 'notFound' },
    ])
    expect(await stateOf(theirs)).toBe(before)
  },
)

test('one foreign organization or role among own ones in a list is refused, and nothing of the list is given', async () => {
  const [mine, theirs] = [await createWorld(), await createWorld()]
  const strong = await createContractorRole(['users.write'])
  const { organization, contractor, colleague, request } = mine.ids
  const before = await rowsLike(['%'])
  for (const [organizationId, role, status] of [
    [theirs.ids.organization, mine.role, 400],
    [organization, strong.id, 403],
    [organization, theirs.ids.contractor, 400],
  ] as const) {
    const pairs = [
      { organizationId: organization, roles: [mine.role] },
      { organizationId, roles: [mine.role, role] },
    ]
    const contractorRoles = pairs.map(({ roles, ...place }) => ({ ...place, rolesIds: roles }))
    for (const access of [pairs, pairs.toReversed()])
      for (const [contract, body] of [
        [contacts.changeContactRoles, { userId: colleague, contractorId: contractor, access }],
        [sent.createInvitation, { email: newEmail(), contractorId: contractor, access }],
        [imports.startInvitationImport, { text: newEmail(), contractorId: contractor, access }],
        [requests.allowAccess, { requestIds: [request], contractorId: contractor, contractorRoles }],
        [requests.approveWithContractor, { requestIds: [request], contractorId: contractor, contractorRoles }],
      ] as [AnyContract, object][])
        expect([contract.name, (await mine.master.caller.send(contract, { body })).status]).toEqual([
          contract.name,
          status,
        ])
  }
  expect(await rowsLike(['%'])).toEqual(before)
})

test('foreign ids and names in the filters of lists find nothing of another company', async () => {
  const [mine, theirs] = [await createWorld(), await createWorld()]
  const { ids, secrets, role } = theirs
  const filters: [AnyContract, object[]][] = [
    [contacts.listContacts, [{ contractorId: ids.contractor }, { roleId: role }, { access: ['active', 'inactive'] }]],
    [sent.listSentInvitations, [{ contractorId: ids.contractor }, { status: ['active', 'deactivated', 'deleted'] }]],
    [requests.listIncomingRequests, [{ status: ['considered', 'approved'] }]],
    [requests.listAccessRequests, [{}]],
    [requests.listManagedContractors, [{ inn: secrets[1] }]],
    [companies.listCompanies, [{}]],
    [own.listOwnInvitations, [{}]],
  ]
  for (const [contract, given] of filters)
    for (const filter of [
      ...given,
      ...secrets.map((search) => ({ search })),
      ...given.map((one) => ({ ...one, search: '-' })),
    ]) {
      const { status, body } = await mine.master.caller.send(contract, { query: { filter } })
      const answer = JSON.stringify(body)
      const leaked = [...Object.values(ids), ...secrets].filter((one) => answer.includes(one))
      expect({ call: contract.name, filter, status, leaked }).toEqual({
        call: contract.name,
        filter,
        status: 200,
        leaked: [],
      })
    }
})
