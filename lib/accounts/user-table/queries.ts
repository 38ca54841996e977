import { eq, inArray, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { rolesInEffect } from '@/db/held-roles'
import { contractorOrganizations, contractors, organizations, roles, userContractors } from '@/db/schema/people'

const anyOf = (texts: readonly string[], type: 'text' | 'uuid' = 'text') =>
  sql`any(${sql.param([...texts])}::${sql.raw(type)}[])`

/** Returns the enabled roles. */
export const selectRoles = () =>
  db()
    .select({ id: roles.id, code: roles.code, name: roles.name, nameEn: roles.nameEn, roleType: roles.roleType })
    .from(roles)
    .where(eq(roles.enabled, true))

/** Returns the enabled organizations. */
export const selectOrganizations = () =>
  db()
    .select({ id: organizations.id, code: organizations.code, name: organizations.name, nameEn: organizations.nameEn })
    .from(organizations)
    .where(eq(organizations.enabled, true))

const contractor = {
  id: contractors.id,
  inn: contractors.inn,
  code: contractors.externalCode,
  name: contractors.name,
}
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns the contractors with one of these names: inn, external code, name or id. */
export const selectContractors = (names: readonly string[]) =>
  db()
    .select(contractor)
    .from(contractors)
    .where(
      or(
        sql`${contractors.inn} = ${anyOf(names)}`,
        sql`${contractors.externalCode} = ${anyOf(names)}`,
        sql`${contractors.name} = ${anyOf(names)}`,
        sql`${contractors.id} = ${anyOf(
          names.filter((text) => uuid.test(text)),
          'uuid',
        )}`,
      ),
    )

/** Returns contractors by their ids. */
export const selectContractorsById = (ids: readonly string[]) =>
  db()
    .select(contractor)
    .from(contractors)
    .where(sql`${contractors.id} = ${anyOf(ids, 'uuid')}`)

/** Returns in which organizations people of these contractors may hold roles, as `contractor organization`. */
export async function selectAvailable(contractorIds: readonly string[]): Promise<Set<string>> {
  const { contractorId, organizationId } = contractorOrganizations
  const rows = await db()
    .select({ contractorId, organizationId })
    .from(contractorOrganizations)
    .where(inArray(contractorId, [...contractorIds]))
  return new Set(rows.map((row) => `${row.contractorId} ${row.organizationId}`))
}

type RoleRow = {
  userId: string
  roleId: string
  organizationId: string | null
  contractorId: string | null
}

/** Returns the roles that are in effect for these people, each with its place. */
export async function selectRolesInEffect(userIds: readonly string[]) {
  const { rows } = await db().execute<RoleRow>(sql`
    select held.user_id as "userId", held.role_id as "roleId", held.organization_id as "organizationId",
      held.contractor_id as "contractorId"
    from ${rolesInEffect} held where held.user_id = ${anyOf(userIds, 'uuid')}
    order by held.role_id, held.organization_id, held.contractor_id`)
  return Map.groupBy(rows, ({ userId }) => userId)
}

/** Returns the contractors of these people. */
export async function selectContractorsOf(userIds: readonly string[]) {
  const rows = await db()
    .select({ userId: userContractors.userId, ...contractor })
    .from(userContractors)
    .innerJoin(contractors, eq(contractors.id, userContractors.contractorId))
    .where(sql`${userContractors.userId} = ${anyOf(userIds, 'uuid')}`)
    .orderBy(contractors.name, contractors.id)
  return Map.groupBy(rows, ({ userId }) => userId)
}
