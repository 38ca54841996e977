import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  contractorOrganizations,
  invitationRoles,
  invitations,
  methods,
  userContractorRoles,
  userContractors,
  userRoles,
} from '@/db/schema'
import { methodsNotHeld } from '@/lib/access/rights/service'
import { accessOf } from '@/lib/access/roles/service'
import { addHolders, removeHolder } from '@/lib/accounts/role-holders/contract'
import { withImplied } from '@/lib/base/access/access-methods'
import { digest } from '@/lib/base/crypto/encryption'
import { ContractorInvitationQuery } from '@/lib/companies/contractors/contract'
import { listContractorInvitations } from '@/lib/companies/contractors/people'
import { isManagerOf } from '@/lib/companies/managers/queries'
import { assignableRoles } from '@/lib/companies/managers/service'
import { selectOpenRoles } from '@/lib/joining/invitations/queries'
import { signedInWith } from '../../factories/access'
import { type AnyContract, Caller, type Input } from '../../factories/caller'
import { createContractor, createContractorRole, join, newEmail } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { methodIdsOf, plantApplicationMethod, plantRole } from '../../factories/roles'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { rounds } from '../../setup/scope'

useTestDatabase()

const below = caseNumbers(36)
const some = <T>(all: readonly T[], most: number) => [
  ...new Set(Array.from({ length: below(most + 1) }, () => all[below(all.length)] as T)),
]

test('whatever roles meet, inviting, accepting and giving answer the same question alike', async () => {
  const codes = ['users.write', 'users.read', 'usersAccess', 'license.write', 'license.read', 'masterAccountAccess']
  const systemic = await methodIdsOf(...codes)
  const { method: ofApplication } = await plantApplicationMethod()
  const rows = await db().select().from(methods)
  const codeOf = new Map(rows.flatMap(({ id, code, kind }) => (kind === 'systemic' ? [[id, code] as const] : [])))
  const every = [...systemic, ofApplication.id]
  const writing = await methodIdsOf('users.write', 'license.write')
  const [master = ''] = await methodIdsOf('masterAccountAccess')

  const companies = [await createContractor(), await createContractor()] as const
  const place = companies[0].organization.id
  await db().insert(contractorOrganizations).values({ contractorId: companies[1].contractor.id, organizationId: place })
  const firms = companies.map(({ contractor }) => contractor.id)

  const carried = new Map<string, string[]>()
  const roles = { systemic: [] as string[], organizational: [] as string[], contractor: [] as string[] }
  for (const roleType of ['systemic', 'organizational', 'contractor'] as const)
    for (let n = 0; n < 7; n++) {
      // held are rather methods that imply others
      const among = roleType === 'contractor' ? every : [...writing, ofApplication.id]
      const methodIds = [...new Set([...some(among, 2), ...(below(3) === 0 ? [master] : [])])]
      const { id } = await plantRole(methodIds, roleType)
      carried.set(id, methodIds)
      roles[roleType].push(id)
    }
  type Link = { roleId: string; organizationId: string | null; contractorId: string | null }
  const seen = { may: 0, mayNot: 0, byImplication: 0 }
  for (const round of eachRound(12, () => Math.min(...Object.values(seen)) > rounds(5))) {
    const administers = round % 6 === 0
    const { id: userId } = await createUser({ roles: administers ? ['administrator'] : [] })
    const links: Link[] = [
      ...some(roles.systemic, 2).map((roleId) => ({ roleId, organizationId: null, contractorId: null })),
      ...some(roles.organizational, 2).map((roleId) => ({ roleId, organizationId: place, contractorId: null })),
      ...firms.flatMap((contractorId) =>
        some(roles.contractor, 3).map((roleId) => ({ roleId, organizationId: place, contractorId })),
      ),
    ]
    await db()
      .insert(userContractors)
      .values(firms.map((contractorId) => ({ userId, contractorId })))
    for (const { contractorId, organizationId, roleId } of links)
      if (contractorId && organizationId)
        await db().insert(userContractorRoles).values({ userId, roleId, organizationId, contractorId })
      else await db().insert(userRoles).values({ userId, roleId, organizationId })

    const access = await accessOf(userId)
    const base = await createContext({ methods: [] })
    const ctx = { ...base, user: base.user && { ...base.user, id: userId, ...access } }
    for (const contractorId of firms) {
      const near = links.filter((link) => link.contractorId === null || link.contractorId === contractorId)
      const heldIds = new Set(
        near.flatMap(({ roleId, ...at }) =>
          (carried.get(roleId) ?? []).filter(
            (id) => id !== master || at.contractorId !== null || at.organizationId === null,
          ),
        ),
      )
      const heldCodes = withImplied([...heldIds].flatMap((id) => codeOf.get(id) ?? []))
      const lacks = (id: string) => {
        if (administers) return false
        const code = codeOf.get(id)
        return code ? !heldCodes.has(code) : !heldIds.has(id)
      }
      const manages = administers || heldIds.has(master)
      const invitation = { id: randomUUID(), email: newEmail(), contractorId, inviterId: userId }
      const expiresAt = new Date(Date.now() + 60_000)
      await db()
        .insert(invitations)
        .values({ ...invitation, idHash: digest(randomUUID()), expiresAt })
      await db()
        .insert(invitationRoles)
        .values(roles.contractor.map((roleId) => ({ invitationId: invitation.id, organizationId: place, roleId })))
      const accepted = new Set((await selectOpenRoles(invitation.id)).map(({ roleId }) => roleId))
      expect(await isManagerOf(userId, contractorId)).toBe(manages)
      for (const roleId of roles.contractor) {
        const given = carried.get(roleId) ?? []
        const may = !given.some(lacks)
        const situation = `round ${round}: ${given.map((id) => codeOf.get(id) ?? 'own')} of ${[...heldCodes]}`
        const invited = await assignableRoles(db(), userId, contractorId, [
          { organizationId: place, roles: [roleId] },
        ]).then(
          () => true,
          ({ code }: { code: string }) => {
            expect(code).toBe('forbiddenRole')
            return false
          },
        )
        const beyond = await methodsNotHeld(db(), ctx, { roles: [roleId], contractor: contractorId })
        expect({ invited, accepted: accepted.has(roleId), given: beyond.length === 0 }, situation).toEqual({
          invited: may,
          accepted: manages && may,
          given: may,
        })
        seen[may ? 'may' : 'mayNot']++
        if (may && !administers && given.some((id) => !heldIds.has(id))) seen.byImplication++
      }
      // the contractor's card says the same about the open invitation
      const reader = await createContext({ methods: ['contractors.read'] })
      const query = ContractorInvitationQuery.parse({ filter: { search: invitation.email } })
      const listing = listContractorInvitations(reader, { params: { id: contractorId }, query })
      const [listed] = (await listing).invitations
      const withheld = new Map(listed?.withheld.map(({ role, reason }) => [role.id, reason]))
      for (const roleId of roles.contractor)
        expect(withheld.get(roleId) ?? 'given').toBe(accepted.has(roleId) ? 'given' : manages ? 'methods' : 'manager')
      const most = accepted.size === 0 ? 'nothing' : 'part'
      expect(listed?.gives).toBe(accepted.size === roles.contractor.length ? 'all' : most)
    }
  }
  for (const [name, times] of Object.entries(seen)) expect(times, name).toBeGreaterThan(shareOf(5))
})

const answered = async (caller: Caller, contract: unknown, sent: Input) => {
  const { status, body } = await caller.send(contract as AnyContract, sent)
  return status === 200 ? 'done' : `${status} ${(body as { code: string }).code}`
}

test('what somebody holds for one contractor they give and take for it, and for no other', async () => {
  const [ownCompany, other] = [await createContractor(), await createContractor()]
  const role = await createContractorRole(['history.read'])
  const { user, browser } = await signedInWith(['roles.read', 'roles.write'])
  await join(ownCompany, user.id, [role.id])
  const person = await createUser({ roles: [] })
  for (const company of [ownCompany, other]) await join(company, person.id, [])
  const caller = new Caller(browser)
  const at = (company: typeof ownCompany, more: object = {}) => ({
    organizationId: company.organization.id,
    contractorId: company.contractor.id,
    ...more,
  })
  const params = { id: role.id }
  const give = (company: typeof ownCompany) =>
    answered(caller, addHolders, { params, body: at(company, { users: [person.id] }) })
  const take = (company: typeof ownCompany) =>
    answered(caller, removeHolder, { params, query: at(company, { userId: person.id }) })
  expect(await give(other)).toBe('403 forbiddenRole')
  expect(await give(ownCompany)).toBe('done')
  expect((await accessOf(person.id)).methods.has('history.read')).toBe(true)
  // naming their own contractor opens no other place
  const elsewhere = { ...at(ownCompany), organizationId: other.organization.id, users: [person.id] }
  expect(await answered(caller, addHolders, { params, body: elsewhere })).toBe('400 errorFields')
  const everywhere = await plantRole(await methodIdsOf('history.read'))
  const systemic = { params: { id: everywhere.id }, body: at(ownCompany, { users: [person.id] }) }
  expect(await answered(caller, addHolders, systemic)).toBe('403 forbiddenRole')
  await db().insert(userRoles).values({ userId: person.id, roleId: everywhere.id })
  const taking = { params: { id: everywhere.id }, query: at(ownCompany, { userId: person.id }) }
  expect(await answered(caller, removeHolder, taking)).toBe('403 forbiddenRole')
  expect(await take(other)).toBe('403 forbiddenRole')
  expect(await take(ownCompany)).toBe('done')
  expect(await db().$count(userRoles, eq(userRoles.userId, person.id))).toBe(1)
  expect(await db().execute(sql`select from user_contractor_roles where user_id = ${person.id}`)).toMatchObject({
    rowCount: 0,
  })
})
