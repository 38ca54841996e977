import { and, asc, eq, sql } from 'drizzle-orm'
import { claimedColumns } from '@/db/claimed-columns'
import { db, prepared } from '@/db/client'
import { rolesInEffect } from '@/db/held-roles'
import { selectDoubts } from '@/db/prepared-accounts'
import { contractors, organizations, roles, userContractors, userSettings, users } from '@/db/schema/people'
import { userPictures } from '@/db/schema/pictures'

const accountById = prepared('oidc_account', (database) =>
  database
    .select(claimedColumns)
    .from(users)
    .leftJoin(userSettings, eq(userSettings.userId, users.id))
    .leftJoin(userPictures, eq(userPictures.userId, users.id))
    .where(and(eq(users.id, sql.placeholder('id')), users.enabled)),
)

export type AccountRow = Awaited<ReturnType<ReturnType<typeof accountById>['execute']>>[number]

/**
 * Returns an enabled account that needs no proof of its e-mail; null for any other id. `given` is the row of the enabled
 * account if the caller has read it.
 */
export async function selectAccount(id: string, given?: AccountRow | undefined) {
  const row = given ?? (await accountById().execute({ id }))[0]
  if (!row) return null
  const { hasMarks, ...account } = row
  return hasMarks && (await selectDoubts(id))?.needsEmailProof !== false ? null : account
}

/** Returns the systemic and organizational roles of a user that are in effect. */
export const selectRoles = (userId: string) =>
  db()
    .select({
      id: roles.id,
      code: roles.code,
      name: roles.name,
      organizationId: organizations.id,
      organization: organizations.name,
    })
    .from(roles)
    .innerJoin(sql`${rolesInEffect} held`, sql`held.role_id = ${roles.id} and held.contractor_id is null`)
    .leftJoin(organizations, sql`${organizations.id} = held.organization_id`)
    .where(sql`held.user_id = ${userId}`)
    .orderBy(asc(roles.name), asc(organizations.name))

/** Returns the enabled contractors of a user: a row for each role in effect there, or one row without a role. */
export const selectContractors = (userId: string) =>
  db()
    .select({
      id: contractors.id,
      name: contractors.name,
      inn: contractors.inn,
      kpp: contractors.kpp,
      organizationId: organizations.id,
      organization: organizations.name,
      roleId: roles.id,
      role: roles.name,
    })
    .from(userContractors)
    .innerJoin(contractors, and(eq(contractors.id, userContractors.contractorId), contractors.enabled))
    .leftJoin(
      sql`${rolesInEffect} held`,
      sql`held.user_id = ${userContractors.userId} and held.contractor_id = ${contractors.id}`,
    )
    .leftJoin(organizations, sql`${organizations.id} = held.organization_id`)
    .leftJoin(roles, sql`${roles.id} = held.role_id`)
    .where(eq(userContractors.userId, userId))
    .orderBy(asc(contractors.name), asc(organizations.name), asc(roles.name))

/** Returns the values of a user's dynamic fields by code. */
export async function selectFieldValues(userId: string): Promise<Record<string, unknown>> {
  const [row] = await db().select({ values: users.values }).from(users).where(eq(users.id, userId))
  return row?.values ?? {}
}
