import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  authenticationSchemaRoles,
  authenticationSchemas,
  roles,
  userContractorRoles,
  userContractors,
  userRoles,
  users,
} from '@/db/schema'
import { schemaFor } from '@/lib/access/authentication-schemas/choice'
import { selectActiveSchemas, selectUsage, selectUsedSchemas } from '@/lib/access/authentication-schemas/queries'
import { createContractor, createContractorRole } from '../../factories/companies'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const random = caseNumbers(4711)
const maybe = (oneIn: number) => random(oneIn) === 0
const any = <T>(of: readonly T[]): T => of[random(of.length)] as T

/** People with any schemas of their own, any roles, and schemas that are tied to any of these. */
async function makeRandomRights() {
  const schemas = Array.from({ length: random(6) }, (_, n) => ({
    ...{ id: randomUUID(), code: `s-${n}-${randomUUID()}`, name: 'S', firstFactor: ['credentials'] },
    ...{ priority: random(3), active: !maybe(4) },
  }))
  const made = Array.from({ length: 4 }, () => ({ id: randomUUID(), name: 'R', roleType: 'systemic' as const }))
  const { contractor, organization } = await createContractor()
  const contractorRoles = [await createContractorRole(), await createContractorRole()]
  const people = Array.from({ length: 40 }, (_, n) => ({
    ...{ id: randomUUID(), login: `${n}-${randomUUID()}` },
    authenticationSchemaId: maybe(3) && schemas.length > 0 ? any(schemas).id : null,
  }))
  const links = people.flatMap(({ id }) => made.filter(() => maybe(3)).map((role) => ({ userId: id, roleId: role.id })))
  const contractorLinks = people.flatMap(({ id: userId }) =>
    contractorRoles
      .filter(() => maybe(4))
      .map(({ id: roleId }) => ({ userId, roleId, contractorId: contractor.id, organizationId: organization.id })),
  )
  const ties = schemas.flatMap(({ id }) =>
    [...made, ...contractorRoles].filter(() => maybe(3)).map((role) => ({ schemaId: id, roleId: role.id })),
  )
  await db().transaction(async (tx) => {
    await tx.insert(roles).values(made)
    if (schemas.length > 0) await tx.insert(authenticationSchemas).values(schemas)
    await tx.insert(users).values(people)
    if (links.length > 0) await tx.insert(userRoles).values(links)
    const members = [...new Set(contractorLinks.map(({ userId }) => userId))]
    if (members.length > 0)
      await tx.insert(userContractors).values(members.map((userId) => ({ userId, contractorId: contractor.id })))
    if (contractorLinks.length > 0) await tx.insert(userContractorRoles).values(contractorLinks)
    if (ties.length > 0) await tx.insert(authenticationSchemaRoles).values(ties)
  })
}

test('each schema counts those to whom the rule of sign-in applies it, and nobody is counted twice', async () => {
  for (const _ of eachRound(20)) {
    await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
    // the base schema may be tied and chosen as any other one
    const [base] = await db().select().from(authenticationSchemas).where(eq(authenticationSchemas.base, true))
    await db().delete(authenticationSchemaRoles)
    await makeRandomRights()
    if (base && maybe(2)) {
      const someRoles = await db().select({ id: roles.id }).from(roles).orderBy(asc(roles.id)).limit(5)
      await db()
        .insert(authenticationSchemaRoles)
        .values(someRoles.map(({ id }) => ({ schemaId: base.id, roleId: id })))
      await db()
        .update(users)
        .set({ authenticationSchemaId: base.id })
        .where(eq(users.id, await anyUser()))
    }
    const schemas = await selectActiveSchemas(db())
    const [everybody, inOwn, forContractors] = await Promise.all([
      db().select().from(users),
      db().select().from(userRoles),
      db().select().from(userContractorRoles),
    ])
    const rolesOf = Map.groupBy([...inOwn, ...forContractors], ({ userId }) => userId)
    const applied = everybody.map(({ id, authenticationSchemaId }) =>
      schemaFor(
        schemas,
        authenticationSchemaId,
        (rolesOf.get(id) ?? []).map(({ roleId }) => roleId),
      ),
    )
    const expected = new Map([...Map.groupBy(applied, ({ id }) => id)].map(([id, people]) => [id, people.length]))
    expect(await selectUsage(db())).toEqual(expected)
    const used = await selectUsedSchemas()
    expect(used.map(({ id, usersCount }) => [id, usersCount])).toEqual(
      schemas.map(({ id }) => [id, expected.get(id) ?? 0]),
    )
    expect(used.map(({ usersCount: _, ...schema }) => schema)).toEqual(schemas)
  }
})

const anyUser = async () => any(await db().select({ id: users.id }).from(users).orderBy(users.id)).id
