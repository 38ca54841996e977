import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractors, history, organizations, roles, userContractors } from '@/db/schema'
import { systemicMethods } from '@/lib/base/access/access-methods'
import {
  changeContactRoles,
  listContacts,
  previewRemoval,
  readContact,
  removeContact,
} from '@/lib/companies/colleagues/contract'
import { mergeContractors } from '@/lib/companies/contractors/merge'
import { listCompanies } from '@/lib/companies/own-companies/contract'
import { lastNotices } from '@/lib/news/notifications/contract'
import { signedInWith } from '../../factories/access'
import { idOf, manager } from '../../factories/access-requests'
import { oneOf30, thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { type AnyContract, Caller, callerFor } from '../../factories/caller'
import {
  type Company,
  createContractor,
  createContractorRole,
  join,
  openService,
  plantInvitation,
} from '../../factories/companies'
import { heldFor, managedColleague, reread } from '../../factories/contacts'
import { createContext } from '../../factories/context'
import { contextOf } from '../../factories/invitations'
import { runJobs } from '../../factories/messages'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const accessIn = ({ organization }: Company, ...ids: string[]) => [{ organizationId: organization.id, roles: ids }]
const idsOf = (userId: string, { contractor }: Company) => ({ userId, contractorId: contractor.id })
const change = (caller: Caller, userId: string, company: Company, access: object[], more: object = {}) =>
  caller.send(changeContactRoles, { body: { ...idsOf(userId, company), access, ...more } })
const remove = (caller: Caller, userId: string, company: Company) =>
  caller.send(removeContact, { query: idsOf(userId, company) })
const versionOf = async (caller: Caller, userId: string, { contractor }: Company) =>
  (await caller.call(readContact, { params: { userId } })).contractors.find(({ id }) => id === contractor.id)?.version
const membersOf = ({ contractor }: Company) =>
  db().$count(userContractors, eq(userContractors.contractorId, contractor.id))
/** Somebody of a company who is signed in. */
async function somebodyOf(company: Company, ...ids: string[]) {
  const caller = await callerFor(listContacts)
  const id = await idOf(caller)
  await join(company, id, ids)
  await reread(id)
  return { caller, id }
}

const accessPair = ({ contractor, organization }: Company) => ({
  contractorId: contractor.id,
  organizationId: organization.id,
})

describe('changing roles', () => {
  test('acts at once in an open session, is told to the person, and stands in both histories', async () => {
    const company = await createContractor()
    const boss = await manager(company)
    const [old, fresh] = [await createContractorRole(), await createContractorRole(['masterAccountAccess'])]
    const { caller, id } = await somebodyOf(company, old.id)
    const holds = async () => (await contextOf(caller.browser)).user?.methods.has('masterAccountAccess')
    expect(await holds()).toBe(false)
    expect((await change(boss.caller, id, company, accessIn(company, fresh.id))).status).toBe(200)
    expect(await holds()).toBe(true)
    await runJobs()
    const notices = (await caller.call(lastNotices)).notices.map(({ kind, values }) => ({ kind, ...values }))
    expect(notices).toHaveLength(2)
    expect(notices).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'roleGiven', role: fresh.name }),
        expect.objectContaining({ kind: 'roleTaken', role: old.name }),
      ]),
    )
    const pair = (roleId: string) => ({ ...accessPair(company), roleId })
    const rows = await db().select().from(history).where(eq(history.entityId, id))
    expect(rows.filter(({ field }) => field === 'contractorRoles')).toMatchObject([
      { previous: [pair(old.id)], current: [pair(fresh.id)], changerId: boss.id },
    ])
    const holding = { userId: id, ...accessPair(company) }
    for (const [roleId, previous, current] of [
      [old.id, [holding], []],
      [fresh.id, [], [holding]],
    ] as const)
      expect(
        await db()
          .select({ previous: history.previous, current: history.current })
          .from(history)
          .where(and(eq(history.entityId, roleId), eq(history.field, 'holders'))),
      ).toEqual([{ previous, current }])
    // the same again changes nothing and tells nothing
    const before = await db().$count(history)
    expect((await change(boss.caller, id, company, accessIn(company, fresh.id))).status).toBe(200)
    await runJobs()
    expect(await db().$count(history)).toBe(before)
    expect((await caller.call(lastNotices)).notices).toHaveLength(2)
  })

  test('with none the person stays in the company, and what was held before may stay whatever it is', async () => {
    const { company, role, person } = await managedColleague()
    const { caller } = await manager()
    const [keptRole, more] = [await createContractorRole(), await createContractorRole()]
    const [, second] = company.organizations
    const heldAccess = accessIn(company, role.id, keptRole.id)
    expect((await change(caller, person.id, company, heldAccess)).status).toBe(200)
    await db().update(roles).set({ enabled: false }).where(eq(roles.id, keptRole.id))
    await db().update(organizations).set({ enabled: false }).where(eq(organizations.id, company.organization.id))
    const both = [...heldAccess, { organizationId: second?.id ?? '', roles: [more.id] }]
    expect((await change(caller, person.id, company, both)).status).toBe(200)
    const theirs = async () => (await heldFor(company)).filter((row) => row.startsWith(person.id))
    expect(await theirs()).toHaveLength(3)
    // a new one isn't given there
    const closed = await change(caller, person.id, company, accessIn(company, role.id, keptRole.id, more.id))
    expect(closed.body).toMatchObject({
      data: { errorList: [{ field: 'access.0.organizationId', code: 'errorOrganization' }] },
    })
    expect((await change(caller, person.id, company, [])).status).toBe(200)
    expect(await theirs()).toEqual([])
    expect(await membersOf(company)).toBe(2)
    // once gone, a disabled role can't be given back
    const again = await change(caller, person.id, company, [{ organizationId: second?.id, roles: [keptRole.id] }])
    expect(again.body).toMatchObject({ data: { errorList: [{ field: 'access.0.roles', code: 'errorRole' }] } })
  })

  test('of thirty saves of one version at once one counts', async () => {
    const { company, person, caller } = await managedColleague()
    const second = await manager(company)
    const choices = await Promise.all(Array.from({ length: 30 }, () => createContractorRole()))
    const version = await versionOf(caller, person.id, company)
    const answers = await thirty((n) =>
      change(n % 2 ? caller : second.caller, person.id, company, accessIn(company, choices[n]?.id ?? ''), { version }),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual(oneOf30)
    const winner = answers.findIndex(({ status }) => status === 200)
    const theirs = (await heldFor(company)).filter((row) => row.startsWith(person.id))
    expect(theirs).toEqual([`${person.id} ${company.organization.id} ${choices[winner]?.id}`])
    const rows = await db()
      .select()
      .from(history)
      .where(and(eq(history.entityId, person.id), eq(history.field, 'contractorRoles')))
    expect(rows).toHaveLength(1)
  })
})

describe('removing', () => {
  test('thirty times at once, one counts; rights end in open sessions, and the account stays', async () => {
    const company = await createContractor()
    const boss = await manager(company)
    const other = await manager(company)
    const role = await createContractorRole(['masterAccountAccess'])
    const { caller, id } = await somebodyOf(company, role.id)
    const answers = await thirty((n) => remove(n % 2 ? boss.caller : other.caller, id, company))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(29).fill(404)])
    expect((await contextOf(caller.browser)).user?.methods.has('masterAccountAccess')).toBe(false)
    expect((await caller.call(listCompanies, { query: {} })).companies).toEqual([])
    await runJobs()
    expect((await caller.call(lastNotices)).notices.map(({ kind }) => kind)).toEqual(['roleTaken'])
    const rows = await db()
      .select({ current: history.current })
      .from(history)
      .where(and(eq(history.entityId, id), eq(history.field, 'contractors')))
    expect(rows).toEqual([{ current: [] }])
  })

  test('two managers who remove each other at once: one stays', async () => {
    for (let n = 0; n < 8; n++) {
      const company = await createContractor()
      const [one, two] = [await manager(company), await manager(company)]
      const statuses = await Promise.all([
        remove(one.caller, two.id, company).then(({ status }) => status),
        remove(two.caller, one.id, company).then(({ status }) => status),
      ])
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(await membersOf(company)).toBe(1)
    }
  })

  test('while the company is merged or roles change, somebody is out or in, and never half', async () => {
    const admin = await createContext({ methods: [...systemicMethods] })
    const target = await createContractor()
    await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const { company, role, person, caller } = await managedColleague()
        const meanwhile: Promise<unknown> =
          n % 2
            ? change(caller, person.id, company, accessIn(company, role.id, (await createContractorRole()).id))
            : mergeContractors(admin, {
                body: { targetId: target.contractor.id, sourceIds: [company.contractor.id], take: {}, versions: {} },
              }).catch(() => undefined)
        const [removed] = await Promise.all([remove(caller, person.id, company), meanwhile])
        expect([200, 404]).toContain(removed.status)
        const membershipsLeft = await db().select().from(userContractors).where(eq(userContractors.userId, person.id))
        if (removed.status === 200) expect(membershipsLeft).toEqual([])
        else expect(membershipsLeft.map(({ contractorId }) => contractorId)).toEqual([target.contractor.id])
      }),
    )
  })

  test('what it takes is said before, and nothing of what the person holds elsewhere', async () => {
    const { company, role, person, caller } = await managedColleague()
    const service = await openService(role.id)
    const elsewhere = await createContractor()
    await join(elsewhere, person.id, [role.id])
    const managing = await createContractorRole(['masterAccountAccess'])
    const ask = () => caller.call(previewRemoval, { params: idsOf(person.id, company) })
    const services = [{ title: service, titleEn: null }]
    const plain = { roles: 1, services, manager: false, invitations: 0 }
    expect(await ask()).toEqual(plain)
    const boss = await createUser()
    await join(company, boss.id, [managing.id])
    await plantInvitation({ contractorId: company.contractor.id, inviterId: boss.id })
    const loss = await caller.call(previewRemoval, { params: idsOf(boss.id, company) })
    expect(loss).toEqual({ roles: 1, services: [], manager: true, invitations: 1 })
    expect((await caller.send(previewRemoval, { params: idsOf(person.id, elsewhere) })).status).toBe(404)
  })
})

describe('who may do it', () => {
  const calls: [AnyContract, (userId: string, company: Company) => object][] = [
    [listContacts, (_, { contractor }) => ({ query: { filter: { contractorId: contractor.id } } })],
    [readContact, (userId) => ({ params: { userId } })],
    [previewRemoval, (userId, company) => ({ params: idsOf(userId, company) })],
    [changeContactRoles, (userId, company) => ({ body: { ...idsOf(userId, company), access: [] } })],
    [removeContact, (userId, company) => ({ query: idsOf(userId, company) })],
  ]

  test('nobody, a stranger, a colleague, the manager, the manager of another company, an administrator', async () => {
    const company = await createContractor()
    const role = await createContractorRole()
    const elsewhere = await createContractor()
    const who = {
      nobody: new Caller(new Browser()),
      stranger: await callerFor(listContacts),
      colleague: (await somebodyOf(company)).caller,
      manager: (await manager(company)).caller,
      other: (await manager(elsewhere)).caller,
      administrator: new Caller((await signedInWith(systemicMethods)).browser),
    }
    const expected = {
      nobody: [401, 401, 401, 401, 401],
      stranger: [200, 404, 403, 403, 403],
      colleague: [200, 200, 403, 403, 403],
      manager: [200, 200, 200, 200, 200],
      other: [200, 404, 404, 404, 404],
      administrator: [200, 200, 200, 200, 200],
    }
    for (const [name, caller] of Object.entries(who)) {
      const person = await createUser()
      await join(company, person.id, [role.id])
      const statuses = []
      for (const [contract, input] of calls) {
        const { status, body } = await caller.send(contract, input(person.id, company))
        statuses.push(status)
        // the list of a stranger is empty
        if (contract === listContacts && status === 200)
          expect((body.contacts as { id: string }[]).some(({ id }) => id === person.id)).toBe(
            !['stranger', 'other'].includes(name),
          )
      }
      expect([name, statuses]).toEqual([name, expected[name as keyof typeof expected]])
      const changed = ['manager', 'administrator'].includes(name)
      expect((await heldFor(company)).some((row) => row.startsWith(person.id))).toBe(!changed)
    }
  })

  test('not of themselves, not of stronger people, and nothing in a company that is switched off', async () => {
    const { company, person, caller, id } = await managedColleague()
    const [strong] = [await createContractorRole(['users.write'])]
    for (const answer of [await change(caller, id, company, []), await remove(caller, id, company)])
      expect(answer.status).toBe(404)
    // by a method that the manager lacks, here or elsewhere, or by a systemic role
    const elsewhere = await createContractor()
    const [here, there, systemic] = [await createUser(), await createUser(), await createUser({ roles: ['support'] })]
    await join(company, here.id, [strong.id])
    for (const one of [there, systemic]) await join(company, one.id, [])
    await join(elsewhere, there.id, [strong.id])
    const before = await heldFor(company)
    for (const one of [here, there, systemic]) {
      expect((await change(caller, one.id, company, [])).body).toMatchObject({ code: 'forbiddenUser' })
      expect((await remove(caller, one.id, company)).body).toMatchObject({ code: 'forbiddenUser' })
      const seen = await caller.call(readContact, { params: { userId: one.id } })
      expect(seen.contractors).toMatchObject([{ managed: true, editable: false }])
    }
    expect(await heldFor(company)).toEqual(before)
    await db().update(contractors).set({ enabled: false }).where(eq(contractors.id, company.contractor.id))
    const all = await manager()
    for (const who of [caller, all.caller])
      for (const answer of [await change(who, person.id, company, []), await remove(who, person.id, company)])
        expect([403, 404]).toContain(answer.status)
    expect((await all.caller.send(previewRemoval, { params: idsOf(person.id, company) })).status).toBe(404)
    expect(await heldFor(company)).toEqual(before)
  })

  test('a manager whose rights ended a moment ago changes nothing more', async () => {
    const { company, person, caller, id } = await managedColleague()
    const second = await manager(company)
    expect((await change(second.caller, id, company, [])).status).toBe(200)
    for (const answer of [await change(caller, person.id, company, []), await remove(caller, person.id, company)])
      expect([403, 404]).toContain(answer.status)
  })
})

describe('an attacker', () => {
  const random = caseNumbers(313)
  const any = <T>(of: readonly T[]): T => of[random(of.length)] as T

  test('who manages a company reaches no other one by any ids in any body, and gives nothing that they lack', async () => {
    const companies = [await createContractor(2), await createContractor(2), await createContractor(1)]
    const [mine, joined] = companies as [Company, Company, Company]
    const kinds = [
      await createContractorRole(),
      await createContractorRole(['monitoringNotifyAccess']),
      await createContractorRole(['masterAccountAccess']),
      await createContractorRole(['users.write']),
      await createContractorRole([], 'systemic'),
    ]
    const people: string[] = []
    for (let n = 0; n < 6; n++) {
      const { id } = await createUser()
      for (const company of companies)
        if (company === mine || random(2)) await join(company, id, random(2) ? [kinds[0]?.id ?? ''] : [])
      people.push(id)
    }
    const { caller, id } = await manager(mine)
    await join(joined, id, [kinds[0]?.id ?? ''])
    const userIds = [...people, id, randomUUID()]
    const places = companies.flatMap(({ organizations }) => organizations.map((one) => one.id))
    const beyond = async () => ({
      roles: (await Promise.all(companies.map(heldFor))).map((rows, n) =>
        n === 0 ? rows.filter((row) => row.startsWith(id)) : rows,
      ),
      members: (await db().select().from(userContractors))
        .filter(({ contractorId, userId }) => contractorId !== mine.contractor.id || userId === id)
        .map(({ contractorId, userId }) => `${contractorId} ${userId}`)
        .toSorted(),
    })
    const before = await beyond()
    const mayGive = [kinds[0]?.id, kinds[2]?.id]
    const statuses = new Map<number, number>()
    for (const n of eachRound(150)) {
      const userId = any(userIds)
      const company = random(3) ? mine : any(companies)
      const access = Array.from({ length: random(3) }, () => ({
        organizationId: random(3) ? any(mine.organizations).id : any(places),
        roles: Array.from({ length: random(3) }, () => (random(3) ? (kinds[0]?.id ?? '') : any(kinds).id)),
      }))
      const { status } =
        n % 20 === 19 ? await remove(caller, userId, company) : await change(caller, userId, company, access)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      expect(await beyond()).toEqual(before)
      for (const row of (await heldFor(mine)).filter((one) => !one.startsWith(id))) {
        const [, organizationId, roleId] = row.split(' ')
        expect(mayGive).toContain(roleId)
        expect(mine.organizations.map((one) => one.id)).toContain(organizationId)
      }
    }
    // all kinds of answers came, so the attempts were no mere nonsense
    for (const status of [200, 400, 403, 404]) expect([...statuses]).toContainEqual([status, expect.any(Number)])
  })
})
