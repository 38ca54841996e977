import { and, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  accessRequests,
  contractors,
  history,
  organizations,
  userContractorRoles,
  userContractors,
  userRoles,
} from '@/db/schema'
import { mergeUsers } from '@/lib/account-administration/user-merge/contract'
import { addHolders } from '@/lib/accounts/role-holders/service'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { mergeContractors } from '@/lib/companies/contractors/merge'
import { leaveCompany, listCompanies, previewLeaving } from '@/lib/companies/own-companies/contract'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { signedInWith } from '../../factories/access'
import { thirty } from '../../factories/at-once'
import { Caller, callerFor } from '../../factories/caller'
import { createContractor, createContractorRole, join, openService, plantInvitation } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { defineField, removeFields } from '../../factories/fields'
import { contextOf } from '../../factories/invitations'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const below = caseNumbers(40417)
type Kept = { inn: string; kpp: string | null }
const idOf = (caller: Caller) => caller.serve(async ({ user }) => user?.id ?? '')
const somebody = async () => {
  const caller = await callerFor(listCompanies)
  return { caller, id: await idOf(caller) }
}
const list = async (caller: Caller, query = {}) => (await caller.call(listCompanies, { query })).companies
const leave = (caller: Caller, id: string) => caller.send(leaveCompany, { params: { id } })
const membersOf = async (contractorId: string) =>
  (await db().select().from(userContractors).where(eq(userContractors.contractorId, contractorId))).length

/** Reads the rights of open sessions anew, as planting roles doesn't. */
async function refreshed(userId: string) {
  const done = await invalidateSessions(db(), userId, new Date())
  await done()
}

test('the companies of a person come newest first, and by name, number or search', async () => {
  const { caller, id } = await somebody()
  const made = []
  for (const at of [1, 3, 2]) {
    const company = await createContractor()
    await join(company, id, [])
    const createdAt = new Date(Date.UTC(2026, 0, at))
    await db().update(userContractors).set({ createdAt }).where(eq(userContractors.contractorId, company.contractor.id))
    made.push(company.contractor)
  }
  const [first, third, second] = made
  const names = async (query = {}) => (await list(caller, query)).map(({ name }) => name)
  expect(await names()).toEqual([third?.name, second?.name, first?.name])
  expect(await names({ sortBy: 'date', sort: 'asc' })).toEqual([first?.name, second?.name, third?.name])
  expect(await names({ sortBy: 'name' })).toEqual([first?.name, third?.name, second?.name])
  expect(await names({ filter: { search: second?.inn } })).toEqual([second?.name])
  expect(await names({ meta: { page: 2, perPage: 10 } })).toEqual([])
  expect((await caller.send(listCompanies, { query: { filter: { name: 'x' } } })).status).toBe(400)
})

test('people see the fields of their company that the profile shows, and no others', async () => {
  const { caller, id } = await somebody()
  const company = await createContractor()
  await join(company, id, [])
  const visibleField = await defineField({ type: 'contractors' })
  const hidden = await defineField({ type: 'contractors', profileVisible: false })
  await db()
    .update(contractors)
    .set({ values: { [visibleField]: 'видно', [hidden]: 'скрыто', unknown: 'скрыто' } })
    .where(eq(contractors.id, company.contractor.id))
  expect((await list(caller))[0]?.additionalInfo).toEqual({ [visibleField]: 'видно' })
  await removeFields()
})

test('leaving takes the roles from open sessions at once and is recorded, and the account stays', async () => {
  const user = await createUser()
  const company = await createContractor()
  const role = await createContractorRole(['masterAccountAccess'])
  await join(company, user.id, [role.id])
  const browser = (await callerFor(listCompanies)).browser
  await signInByPassword(browser, user.login, password)
  const caller = new Caller(browser)
  const holds = async () => (await contextOf(browser)).user?.methods.has('masterAccountAccess')
  expect(await holds()).toBe(true)
  expect((await leave(caller, company.contractor.id)).status).toBe(200)
  expect(await holds()).toBe(false)
  expect(await list(caller)).toEqual([])
  const rows = await db()
    .select({ field: history.field, previous: history.previous, current: history.current })
    .from(history)
    .where(and(eq(history.entityId, user.id), eq(history.entity, 'users'), eq(history.type, 'update')))
  const place = { contractorId: company.contractor.id, organizationId: company.organization.id, roleId: role.id }
  expect(rows).toContainEqual({ field: 'contractors', previous: [company.contractor.id], current: [] })
  expect(rows).toContainEqual({ field: 'contractorRoles', previous: [place], current: [] })
})

test('nobody leaves, or looks at, a company of others, whatever they may do elsewhere', async () => {
  const { caller, id } = await somebody()
  const [ownCompany, foreign] = [await createContractor(), await createContractor()]
  const master = await createContractorRole(['masterAccountAccess'], 'systemic')
  await db().insert(userRoles).values({ userId: id, roleId: master.id })
  await join(ownCompany, id, [])
  await join(foreign, (await createUser()).id, [])
  await refreshed(id)
  expect((await list(caller)).map((company) => company.id)).toEqual([ownCompany.contractor.id])
  for (const contract of [leaveCompany, previewLeaving])
    expect((await caller.send(contract, { params: { id: foreign.contractor.id } })).status).toBe(404)
  expect(await membersOf(foreign.contractor.id)).toBe(1)
})

test('what leaving takes is said before: services, deciding about others, invitations', async () => {
  const { caller, id } = await somebody()
  const company = await createContractor()
  const [only, shared] = [await createContractorRole(['masterAccountAccess']), await createContractorRole()]
  const lost = await openService(only.id)
  await openService(shared.id)
  await join(company, id, [only.id, shared.id])
  await join(await createContractor(), id, [])
  const elsewhere = await createContractor()
  await join(elsewhere, id, [shared.id])
  await plantInvitation({ contractorId: company.contractor.id, inviterId: id })
  await refreshed(id)
  const ask = () => caller.call(previewLeaving, { params: { id: company.contractor.id } })
  const services = [{ title: lost, titleEn: null }]
  expect(await ask()).toEqual({ roles: 2, services, manager: true, invitations: 1, lastManager: true })

  // a colleague who decides too; one who is blocked doesn't count
  const colleague = await createUser({ enabled: false })
  await join(company, colleague.id, [only.id])
  expect(await ask()).toMatchObject({ lastManager: true })
  await join(company, (await createUser()).id, [only.id])
  expect(await ask()).toMatchObject({ manager: true, lastManager: false })

  // a role that gives nothing now takes nothing
  await db().update(organizations).set({ enabled: false }).where(eq(organizations.id, company.organization.id))
  await refreshed(id)
  expect(await ask()).toMatchObject({ roles: 2, services: [], manager: false })
})

test('who manages all companies goes on to manage one that they leave', async () => {
  const { caller, id } = await somebody()
  const company = await createContractor()
  await join(company, id, [(await createContractorRole(['masterAccountAccess'])).id])
  const systemic = await createContractorRole(['masterAccountAccess'], 'systemic')
  await db().insert(userRoles).values({ userId: id, roleId: systemic.id })
  await refreshed(id)
  const loss = await caller.call(previewLeaving, { params: { id: company.contractor.id } })
  expect(loss).toMatchObject({ manager: false, lastManager: false })
})

test('thirty goodbyes at once: one leaves, and the history has it once', async () => {
  const { caller, id } = await somebody()
  const company = await createContractor()
  await join(company, id, [(await createContractorRole()).id])
  const answers = await thirty(() => leave(caller, company.contractor.id))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(29).fill(404)])
  const rows = await db()
    .select()
    .from(history)
    .where(and(eq(history.entityId, id), eq(history.field, 'contractors')))
  expect(rows).toHaveLength(1)
})

test('who leaves while they are given roles, or while the company is merged, is out or in, and never half', async () => {
  const admin = await createContext({ methods: [...systemicMethods] })
  const target = await createContractor()
  await thirty(async (n) => {
    const { caller, id } = await somebody()
    const company = await createContractor()
    const [heldRole, given] = [await createContractorRole(), await createContractorRole()]
    await join(company, id, [heldRole.id])
    const place = { contractorId: company.contractor.id, organizationId: company.organization.id }
    const meanwhile: Promise<unknown> =
      n % 2
        ? addHolders(admin, { params: { id: given.id }, body: { users: [id], ...place } })
        : mergeContractors(admin, {
            body: { targetId: target.contractor.id, sourceIds: [company.contractor.id], take: {}, versions: {} },
          })
    const [leaving] = await Promise.all([leave(caller, company.contractor.id), meanwhile.catch(() => undefined)])
    const still = await db().select().from(userContractors).where(eq(userContractors.userId, id))
    const roles = await db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, id))
    // whoever was too late for the merge is in the other company, with the role
    if (leaving.status === 200) expect([still, roles]).toEqual([[], []])
    else {
      expect(leaving.status).toBe(404)
      expect(still.map(({ contractorId }) => contractorId)).toEqual([target.contractor.id])
      expect(roles.map(({ roleId }) => roleId)).toEqual([heldRole.id])
    }
  })
})

test.each(['constructor', 'toString'])('a value under %s, which every object has, survives a merge', async (code) => {
  const admin = await createContext({ methods: [...systemicMethods] })
  const [target, source] = [await createContractor(), await createContractor()]
  await defineField({ type: 'contractors', code })
  const isOf = (of: typeof target) => eq(contractors.id, of.contractor.id)
  try {
    await db()
      .update(contractors)
      .set({ values: { [code]: 'К-1' } })
      .where(isOf(source))
    await mergeContractors(admin, {
      body: { targetId: target.contractor.id, sourceIds: [source.contractor.id], take: {}, versions: {} },
    })
    const [merged] = await db().select({ values: contractors.values }).from(contractors).where(isOf(target))
    expect(merged?.values).toEqual({ [code]: 'К-1' })
  } finally {
    await removeFields()
  }
})

test('of several open requests for a company a merge keeps one, and none without a kpp beside one with it', async () => {
  const admin = new Caller((await signedInWith(['users.write'])).browser)
  for (const round of eachRound(15)) {
    const target = await createUser({ roles: [] })
    const sources = [await createUser({ roles: [] }), await createUser({ roles: [] }), await createUser({ roles: [] })]
    const inns = ['7707083893', '7728168971']
    for (const { id } of [target, ...sources])
      for (const inn of inns) {
        // an earlier version let people ask for a company by its inn alone
        const kpp = [null, '770101001', '770201001', undefined][below(4)]
        if (kpp !== undefined) await db().insert(accessRequests).values({ userId: id, name: 'Вектор', inn, kpp })
      }
    const open = (ids: string[]) => db().select().from(accessRequests).where(inArray(accessRequests.userId, ids))
    const [ownActions, all] = [await open([target.id]), await open([target, ...sources].map(({ id }) => id))]
    await admin.call(mergeUsers, { body: { targetId: target.id, sourceIds: sources.map(({ id }) => id) } })
    const actions = await open([target.id])
    const isSame = (a: Kept, b: Kept) => a.inn === b.inn && (a.kpp === b.kpp || a.kpp === null || b.kpp === null)
    for (const a of actions)
      expect(
        actions.filter((b) => a !== b && isSame(a, b)),
        `round ${round}`,
      ).toEqual([])
    // nothing is lost but what one that stays stands for
    for (const a of all)
      expect(
        actions.some((b) => isSame(a, b)),
        `round ${round}`,
      ).toBe(true)
    expect(actions.map(({ id }) => id)).toEqual(expect.arrayContaining(ownActions.map(({ id }) => id)))
  }
})
