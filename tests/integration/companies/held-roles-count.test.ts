import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { organizations, roles, userContractorRoles, userContractors, users } from '@/db/schema'
import { createContractor, createContractorRole } from '../../factories/companies'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

// Triggers count the roles of each membership, by which inactive contacts are found (docs/rules/contacts.md#who-is-seen).

useTestDatabase()

const random = caseNumbers(20_261_125)
const any = <T>(of: readonly T[]): T => of[random(of.length)] as T

type Row = typeof userContractorRoles.$inferInsert
let memberships: { userId: string; contractorId: string }[]
let places: string[]
let kinds: string[]

beforeAll(async () => {
  const companies = await Promise.all([createContractor(3), createContractor(3)])
  places = companies.flatMap((company) => company.organizations.map(({ id }) => id))
  kinds = (await Promise.all([createContractorRole(), createContractorRole()])).map(({ id }) => id)
  const people = Array.from({ length: 5 }, () => randomUUID())
  await db()
    .insert(users)
    .values(people.map((id) => ({ id, login: id })))
  memberships = people.flatMap((userId) => companies.map(({ contractor }) => ({ userId, contractorId: contractor.id })))
  await db().insert(userContractors).values(memberships)
})

const wrong = async () =>
  (
    await db().execute(sql`
      select uc.user_id, uc.contractor_id, uc.roles_held, count(r.role_id)::int as real
      from user_contractors uc left join user_contractor_roles r using (user_id, contractor_id)
      group by uc.user_id, uc.contractor_id having uc.roles_held <> count(r.role_id)`)
  ).rows

const randomRow = (): Row => ({ ...any(memberships), organizationId: any(places), roleId: any(kinds) })

/** Adds or removes some roles in a transaction, which is sometimes rolled back. */
async function change() {
  // in one order, because two writers of the same rows in two orders wait for each other in a circle
  const rows = Array.from({ length: 1 + random(4) }, randomRow).toSorted((a, b) =>
    JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
  )
  const [adds, fails, whole, person] = [random(2) > 0, random(5) === 0, random(6) === 0, any(memberships).userId]
  const outcome = db().transaction(async (tx) => {
    if (adds) await tx.insert(userContractorRoles).values(rows).onConflictDoNothing()
    else if (whole) await tx.delete(userContractorRoles).where(eq(userContractorRoles.userId, person))
    else
      await tx.delete(userContractorRoles).where(
        and(
          inArray(
            userContractorRoles.userId,
            rows.map(({ userId }) => userId),
          ),
          eq(userContractorRoles.roleId, any(kinds)),
        ),
      )
    if (fails) throw new Error('rolled back')
  })
  if (fails) await expect(outcome).rejects.toThrow('rolled back')
  else await outcome
}

test('the count of each membership is the number of its roles, whatever thirty writers do at once', async () => {
  for (const _ of eachRound(10)) {
    await Promise.all(Array.from({ length: 30 }, change))
    expect(await wrong()).toEqual([])
  }
})

test('roles that go with an organization or a membership are counted off', async () => {
  const row = randomRow()
  await db().insert(userContractorRoles).values(row).onConflictDoNothing()
  await db().delete(organizations).where(eq(organizations.id, row.organizationId))
  places = places.filter((id) => id !== row.organizationId)
  expect(await wrong()).toEqual([])
  const membership = and(eq(userContractors.userId, row.userId), eq(userContractors.contractorId, row.contractorId))
  await db().delete(userContractors).where(membership)
  await db().insert(userContractors).values({ userId: row.userId, contractorId: row.contractorId })
  expect(await wrong()).toEqual([])
})

test('a role is not moved to another membership in place', async () => {
  const row = { ...memberships[0], organizationId: places.at(-1), roleId: kinds[0] } as Row
  await db().insert(userContractorRoles).values(row).onConflictDoNothing()
  const moved = db()
    .update(userContractorRoles)
    .set({ userId: memberships.at(-1)?.userId ?? '' })
    .where(eq(userContractorRoles.userId, row.userId))
  await expect(moved).rejects.toThrow()
  expect(await wrong()).toEqual([])
  expect(await db().$count(roles)).toBeGreaterThan(0)
})
