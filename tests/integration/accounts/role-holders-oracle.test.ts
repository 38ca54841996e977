import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { db } from '@/db/client'
import { roles, userContractorRoles, userContractors, userRoles, users } from '@/db/schema'
import { listHolders } from '@/lib/accounts/role-holders/contract'
import { readWhole } from '@/lib/accounts/role-holders/queries'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { isFound } from '@/lib/base/lists/search-form'
import { callerFor } from '../../factories/caller'
import { createContractor, createContractorRole } from '../../factories/companies'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const random = caseNumbers(8128)
const maybe = (oneIn: number) => random(oneIn) === 0

test.each([
  [0, 0],
  [3, 12],
  [1_000, 5_000],
])(
  'whoever holds a role is listed once, by name and without gaps, at most %i holders and %i links read whole',
  async (holders, links) => {
    const original = { ...readWhole }
    Object.assign(readWhole, { holders, links })
    onTestFinished(() => void Object.assign(readWhole, original))
    const caller = await callerFor(listHolders)
    const [first, second] = [await createContractor(2), await createContractor()]
    for (const _ of eachRound(20)) {
      const people = Array.from({ length: 30 }, () => ({
        ...{ id: randomUUID(), login: randomUUID(), fio: maybe(6) ? '' : `Имя${random(12)} ${random(3)}` },
      }))
      await db().insert(users).values(people)
      const isContractorRole = maybe(2)
      const role = isContractorRole
        ? await createContractorRole()
        : { id: randomUUID(), name: 'R', roleType: 'organizational' as const }
      if (!isContractorRole)
        await db()
          .insert(roles)
          .values(role as never)
      const places = [
        ...first.organizations.map((organization) => ({
          contractorId: first.contractor.id,
          organizationId: organization.id,
        })),
        { contractorId: second.contractor.id, organizationId: second.organization.id },
      ]
      const share = 1 + random(4)
      const roleLinks = people.flatMap(({ id }) =>
        places.filter(() => maybe(share)).map((place) => ({ userId: id, roleId: role.id, ...place })),
      )
      if (roleLinks.length > 0 && isContractorRole) {
        const memberships = new Map(
          roleLinks.map(({ userId, contractorId }) => [userId + contractorId, { userId, contractorId }]),
        )
        await db()
          .insert(userContractors)
          .values([...memberships.values()])
        await db().insert(userContractorRoles).values(roleLinks)
      } else if (roleLinks.length > 0)
        await db()
          .insert(userRoles)
          .values(roleLinks.map(({ contractorId: _, ...link }) => link))
      const search = maybe(2) ? `имя${random(12)}` : undefined
      const expected = people
        .filter(({ id, fio }) => roleLinks.some(({ userId }) => userId === id) && (!search || isFound(search, [fio])))
        .map(({ id }) => id)
      const sort = maybe(2) ? 'desc' : 'asc'
      const listed: CallOutput<typeof listHolders>['holders'] = []
      for (let after: string | null | undefined; after !== null; ) {
        const query: object = {
          sort,
          ...(search ? { filter: { search } } : {}),
          meta: { perPage: 10, ...(after ? { after } : {}) },
        }
        const page: CallOutput<typeof listHolders> = await caller.call(listHolders, {
          params: { id: role.id },
          query,
        } as never)
        expect(page.meta.total).toBe(expected.length)
        listed.push(...page.holders)
        after = page.meta.after
      }
      expect(listed.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
      const { rows } = await db().execute<{ id: string }>(
        sql`select id from users where id = any(${sql.param(expected)}::uuid[]) order by fio, id`,
      )
      const inOrder = rows.map(({ id }) => id)
      expect(listed.map(({ id }) => id)).toEqual(sort === 'asc' ? inOrder : inOrder.toReversed())
      for (const { id, places: listedPlaces } of listed)
        expect(listedPlaces).toHaveLength(
          isContractorRole
            ? roleLinks.filter(({ userId }) => userId === id).length
            : new Set(roleLinks.filter(({ userId }) => userId === id).map(({ organizationId }) => organizationId)).size,
        )
    }
  },
)
