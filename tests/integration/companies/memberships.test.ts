import { and, asc, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractorOrganizations, history, userContractorRoles } from '@/db/schema'
import { deleteRole, enableRole } from '@/lib/access/roles/manage'
import { addHolders } from '@/lib/accounts/role-holders/service'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { AppError } from '@/lib/base/runtime/errors'
import { mergeContractors } from '@/lib/companies/contractors/merge'
import { deleteContractor, enableContractor, updateContractor } from '@/lib/companies/contractors/service'
import { enableOrganization } from '@/lib/companies/organizations/service'
import { thirty } from '../../factories/at-once'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { rolesOf, say, signedIn } from '../../factories/invitation-calls'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const all = () => createContext({ methods: [...systemicMethods] })
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => {
      if (error instanceof AppError) return error.code
      throw error
    },
  )

test('the history of thirty people misses nothing that they got for one contractor while they lost roles for another', async () => {
  const [leftCompany, joined] = [await createContractor(), await createContractor()]
  const [lost, got] = [await createContractorRole(), await createContractorRole()]
  const people = await thirty(() => createUser({ roles: [] }))
  for (const { id } of people) {
    await join(leftCompany, id, [lost.id])
    await join(joined, id, [])
  }
  const ctx = await all()
  const place = { contractorId: joined.contractor.id, organizationId: joined.organization.id }
  const requisites = { inn: '', kpp: '', ogrn: '', okpo: '', registrationNumber: '', taxNumber: '', externalCode: '' }
  await Promise.all([
    ...people.map(({ id }) => addHolders(ctx, { params: { id: got.id }, body: { users: [id], ...place } })),
    updateContractor(ctx, {
      params: { id: leftCompany.contractor.id },
      body: { name: leftCompany.contractor.name, ...requisites, availableOrganizations: [], values: {} },
    }),
  ])
  const rows = await db()
    .select()
    .from(history)
    .where(
      and(
        inArray(
          history.entityId,
          people.map(({ id }) => id),
        ),
        eq(history.field, 'contractorRoles'),
      ),
    )
    .orderBy(asc(history.id))
  for (const { id } of people) {
    const ownRows = rows.filter(({ entityId }) => entityId === id)
    expect(ownRows).toHaveLength(2)
    // what one change left is what the next one found, and the last is the truth
    expect(ownRows[1]?.previous).toEqual(ownRows[0]?.current)
    expect(ownRows[1]?.current).toEqual([{ ...place, roleId: got.id }])
  }
})

test('of thirty invitations that are accepted while their role or place is closed, each gives all or nothing', async () => {
  const ctx = await all()
  const target = await createContractor()
  type Planted = Awaited<ReturnType<typeof plantInvitation>>
  const off = { enabled: false }
  const closing: ((planted: Planted) => Promise<unknown>)[] = [
    ({ role }) => enableRole(ctx, { params: { id: role.id }, body: off }),
    ({ role }) => deleteRole(ctx, { params: { id: role.id } }),
    ({ organization }) => enableOrganization(ctx, { params: { id: organization.id }, body: off }),
    ({ contractor }) => enableContractor(ctx, { params: { id: contractor.id }, body: off }),
    ({ contractor }) => deleteContractor(ctx, { params: { id: contractor.id } }),
    ({ contractor }) =>
      mergeContractors(ctx, {
        body: { targetId: target.contractor.id, sourceIds: [contractor.id], take: {}, versions: {} },
      }),
  ]
  const prepared = await thirty(async () => {
    const planted = await plantInvitation()
    return { planted, ...(await signedIn({ email: planted.email, roles: [] })) }
  })
  const outcomes = await Promise.all(
    prepared.map(async ({ planted, browser }, n) => {
      const [answer, closed] = await Promise.all([
        say(browser, { hash: planted.guid }),
        code((closing[n % closing.length] as (typeof closing)[0])(planted)),
      ])
      return { answer, closed }
    }),
  )
  for (const [n, { answer, closed }] of outcomes.entries()) {
    const { planted, user } = prepared[n] as (typeof prepared)[0]
    const heldRoles = await rolesOf(user.id)
    if (answer.status === 200) expect(heldRoles).toMatchObject([{ roleId: planted.role.id }])
    else {
      expect(`${answer.status} ${(answer.body as { code: string }).code}`).toBe('400 canceled')
      expect(heldRoles).toEqual([])
    }
    expect(['done', 'roleUsed', 'roleHeld', 'contractorUsed', 'conflict', 'notFound']).toContain(closed)
  }
  // each role is held where the contractor has the organization
  const inPlace = await db()
    .select({ id: userContractorRoles.userId })
    .from(userContractorRoles)
    .leftJoin(
      contractorOrganizations,
      and(
        eq(contractorOrganizations.contractorId, userContractorRoles.contractorId),
        eq(contractorOrganizations.organizationId, userContractorRoles.organizationId),
      ),
    )
    .where(
      and(
        inArray(
          userContractorRoles.userId,
          prepared.map(({ user }) => user.id),
        ),
        eq(contractorOrganizations.contractorId, userContractorRoles.contractorId),
      ),
    )
  const heldRoles = await db()
    .select({ id: userContractorRoles.userId })
    .from(userContractorRoles)
    .where(
      inArray(
        userContractorRoles.userId,
        prepared.map(({ user }) => user.id),
      ),
    )
  expect(inPlace).toHaveLength(heldRoles.length)
})
