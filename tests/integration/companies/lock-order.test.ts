import { and, eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { accessRequests, history, userContractorRoles, userContractors, users } from '@/db/schema'
import { outsideTransaction } from '@/db/scope'
import { addHolders, removeHolder } from '@/lib/accounts/role-holders/contract'
import * as requests from '@/lib/companies/access-requests/contract'
import { changeContactRoles, removeContact } from '@/lib/companies/colleagues/contract'
import { enableContractor, setUserContractors } from '@/lib/companies/contractors/contract'
import { leaveCompany } from '@/lib/companies/own-companies/contract'
import {
  acceptOwnInvitation,
  declineOwnInvitation,
  listOwnInvitations,
} from '@/lib/joining/received-invitations/contract'
import { createInvitation } from '@/lib/joining/sent-invitations/contract'
import { signedInAsAdministrator } from '../../factories/access'
import { makeManager, refreshed, requestRow } from '../../factories/access-requests'
import { thirty } from '../../factories/at-once'
import type { Answered } from '../../factories/browser'
import { type AnyContract, Caller } from '../../factories/caller'
import { type Company, createContractor, createContractorRole, join } from '../../factories/companies'
import { createCompanyRequests } from '../../factories/company-requests'
import { signedIn } from '../../factories/invitation-calls'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const below = caseNumbers(20501)
const one = <T>(list: readonly T[]): T => list[below(list.length)] as T

type Somebody = { id: string; email: string; caller: Caller }
type Round = { companies: Company[]; people: Somebody[]; admin: Caller; roles: string[]; ids: string[] }

async function somebody(): Promise<Somebody> {
  const { user, browser } = await signedIn({ emailVerifiedAt: new Date() })
  return { id: user.id, email: user.email, caller: new Caller(browser) }
}

const accessTo = ({ organization }: Company, roleId: string) => [{ organizationId: organization.id, roles: [roleId] }]
const decisions: [AnyContract, (company: Company, role: string) => object][] = [
  [
    requests.approveWithContractor,
    ({ contractor, organization }, role) => ({
      contractorId: contractor.id,
      contractorRoles: [{ organizationId: organization.id, rolesIds: [role] }],
    }),
  ],
  [requests.allowAccess, ({ contractor }) => ({ contractorId: contractor.id })],
  [requests.allowAccess, () => ({})],
  [requests.refuseAccess, () => ({ reason: 'нет договора' })],
  [requests.markDuplicate, () => ({})],
]

/** What writes the rows of requests, of who asks and who decides, and of the companies: managers are people of both. */
const writers: Record<string, (of: Round) => Promise<Answered | undefined>> = {
  decide: async ({ companies, people, roles, ids }) => {
    const [contract, form] = one(decisions)
    const body = { requestIds: [one(ids)], ...form(one(companies), one(roles)) }
    return one(people).caller.send(contract, { body })
  },
  revoke: async ({ people, ids }) =>
    one(people).caller.send(requests.revokeAccessRequest, { params: { requestId: one(ids) } }),
  ask: async ({ companies, people }) => {
    const inn = one(companies).contractor.inn ?? ''
    const company = { name: 'Компания', inn, kpp: String(100_000_000 + below(900_000_000)), roles: [] }
    return one(people).caller.send(requests.createAccessRequests, { body: { companies: [company] } })
  },
  invite: async ({ companies, people, roles }) => {
    const company = one(companies)
    const body = {
      email: one(people).email,
      contractorId: company.contractor.id,
      access: accessTo(company, one(roles)),
    }
    return one(people).caller.send(createInvitation, { body })
  },
  answer: async ({ people }) => {
    const { caller } = one(people)
    const { status, body } = await caller.send(listOwnInvitations, {})
    const [first] = status === 200 ? (body as { invitations: { id: string }[] }).invitations : []
    if (!first) return undefined
    const params = { id: first.id }
    return below(3) > 0
      ? caller.send(acceptOwnInvitation, { params, body: {} })
      : caller.send(declineOwnInvitation, { params })
  },
  roles: async ({ companies, people, roles }) => {
    const company = one(companies)
    const body = { userId: one(people).id, contractorId: company.contractor.id, access: accessTo(company, one(roles)) }
    return one(people).caller.send(changeContactRoles, { body })
  },
  remove: async ({ companies, people }) =>
    one(people).caller.send(removeContact, {
      query: { userId: one(people).id, contractorId: one(companies).contractor.id },
    }),
  leave: async ({ companies, people }) =>
    one(people).caller.send(leaveCompany, { params: { id: one(companies).contractor.id } }),
  hold: async ({ companies, people, roles, admin }) => {
    const { contractor, organization } = one(companies)
    const place = { organizationId: organization.id, contractorId: contractor.id }
    const params = { id: one(roles) }
    return below(2) > 0
      ? admin.send(addHolders, { params, body: { users: [one(people).id, one(people).id], ...place } })
      : admin.send(removeHolder, { params, query: { userId: one(people).id, ...place } })
  },
  contractors: async ({ companies, people, admin }) =>
    admin.send(setUserContractors, {
      params: { id: one(people).id },
      body: { contractors: companies.slice(below(3)).map(({ contractor }) => contractor.id) },
    }),
  switch: async ({ companies, admin }) =>
    admin.send(enableContractor, { params: { id: one(companies).contractor.id }, body: { enabled: below(4) > 0 } }),
  // an import of accounts and a merge lock several people, in the order of their ids
  import: async ({ people }) => {
    const ids = people.map(({ id }) => id).filter(() => below(2) > 0)
    await outsideTransaction(() =>
      db().transaction(async (tx) => {
        for (const id of ids.toSorted()) {
          await tx.execute(sql`select from ${users} where ${users.id} = ${id} for update`)
          await tx
            .update(users)
            .set({ comment: String(below(1_000)) })
            .where(eq(users.id, id))
        }
      }),
    )
    return undefined
  },
}
const names = Object.keys(writers)

/** Puts everybody back into both companies as managers, so that each round begins alike. */
async function restore({ companies, people }: Pick<Round, 'companies' | 'people'>, managerRole: string) {
  for (const { id } of people) {
    await db().delete(userContractorRoles).where(eq(userContractorRoles.userId, id))
    await db().delete(userContractors).where(eq(userContractors.userId, id))
  }
  await db().execute(sql`update contractors set enabled = true where not enabled`)
  for (const { id } of people.slice(0, 3)) for (const company of companies) await join(company, id, [managerRole])
  for (const { id } of people) await refreshed(id)
}

async function world() {
  const companies = [await createContractor(), await createContractor()]
  const people = [await somebody(), await somebody(), await somebody(), await somebody(), await somebody()]
  const [first] = people
  const managerRole = first ? (await makeManager(first.caller, await createContractor())).id : ''
  const roles = [(await createContractorRole()).id, (await createContractorRole()).id]
  const admin = new Caller((await signedInAsAdministrator()).browser)
  return { companies, people, roles, admin, managerRole }
}

test('of random decisions and other writers of the same rows, thirty at once, none is the victim of a deadlock', async () => {
  const { managerRole, ...of } = await world()
  // one who manages all, whose rights no other writer takes
  const all = of.people[0]
  if (all) await makeManager(all.caller)
  const pairs = names.flatMap((a, n) => names.slice(n).map((b) => [a, b] as const))
  for (const round of eachRound(60)) {
    await restore(of, managerRole)
    const ids: string[] = []
    for (const { id } of of.people)
      ids.push(
        ...(await createCompanyRequests(
          id,
          of.companies.map(({ contractor }) => contractor),
        )),
      )
    const pair = round < 12 ? (['decide', names[round] ?? 'decide'] as const) : one(pairs)
    const answers = await thirty(async (n) => {
      const name = pair[n % 2] ?? 'decide'
      return { name, answer: await writers[name]?.({ ...of, ids }) }
    })
    const failed = answers.filter(({ answer }) => (answer?.status ?? 0) >= 500)
    expect(
      failed.map(({ name, answer }) => `${name} ${answer?.status}`),
      pair.join(' and '),
    ).toEqual([])
    const rows = await db().select().from(accessRequests).where(inArray(accessRequests.id, ids))
    const written = await db()
      .select({ id: history.entityId })
      .from(history)
      .where(and(inArray(history.entityId, ids), eq(history.field, 'status'), eq(history.type, 'update')))
    const over = rows.filter(({ status }) => status !== 'considered')
    expect(written.map(({ id }) => id).toSorted(), pair.join(' and ')).toEqual(over.map(({ id }) => id).toSorted())
    const succeeded = answers.filter(
      ({ name, answer }) => ['decide', 'revoke'].includes(name) && answer?.status === 200,
    )
    expect(succeeded, pair.join(' and ')).toHaveLength(over.length)
    await db().delete(accessRequests)
  }
})

test('two managers who decide on each other’s requests at once don’t stop each other', async () => {
  const company = await createContractor()
  const [a, b] = [await somebody(), await somebody()]
  for (const { caller } of [a, b]) await makeManager(caller, company)
  for (const _ of eachRound(15)) {
    const [ofA] = await createCompanyRequests(a.id, [company.contractor])
    const [ofB] = await createCompanyRequests(b.id, [company.contractor])
    const answers = await thirty((n) => {
      const [who, id] = n % 2 ? [a, ofB] : [b, ofA]
      const [contract, form] = n % 4 < 2 ? [requests.allowAccess, {}] : [requests.refuseAccess, { reason: 'нет' }]
      return who.caller.send(contract as AnyContract, { body: { requestIds: [id], ...form } })
    })
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
    for (const id of [ofA, ofB]) expect((await requestRow(id ?? '')).status).not.toBe('considered')
  }
})
