import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { rolesInEffect } from '@/db/held-roles'
import { localNameColumn } from '@/db/local-name'
import { invitationRoles, invitations } from '@/db/schema/entry'
import {
  contractors,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
} from '@/db/schema/people'
import { isVisible, type Visibility } from './queries'

type Connection = Database | Transaction

/** Returns the roles that these people hold for the visible contractors, by organization, with names in a language. */
export const selectRolesOf = (visibility: Visibility, userIds: readonly string[], locale: string) =>
  db()
    .select({
      userId: userContractorRoles.userId,
      contractorId: userContractorRoles.contractorId,
      organizationId: organizations.id,
      organization: localNameColumn(organizations, locale),
      enabled: organizations.enabled,
      roleId: roles.id,
      role: localNameColumn(roles, locale),
    })
    .from(userContractorRoles)
    .innerJoin(organizations, eq(organizations.id, userContractorRoles.organizationId))
    .innerJoin(roles, eq(roles.id, userContractorRoles.roleId))
    .where(
      and(
        inArray(userContractorRoles.userId, [...userIds]),
        isVisible(visibility, sql`${userContractorRoles.contractorId}`),
      ),
    )
    .orderBy(asc(localNameColumn(organizations, locale)), asc(organizations.id), asc(localNameColumn(roles, locale)))

/** Returns these invitations with their contractors. */
export async function selectInvitations(ids: readonly string[]) {
  const rows = await db()
    .select({
      id: invitations.id,
      email: invitations.email,
      expiresAt: invitations.expiresAt,
      contractor: { id: contractors.id, name: contractors.name },
    })
    .from(invitations)
    .innerJoin(contractors, eq(contractors.id, invitations.contractorId))
    .where(inArray(invitations.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the roles that these invitations give, each once, with names in a language. */
export const selectInvitedRoles = (ids: readonly string[], locale: string) =>
  db()
    .selectDistinct({
      invitationId: invitationRoles.invitationId,
      id: roles.id,
      name: localNameColumn(roles, locale),
    })
    .from(invitationRoles)
    .innerJoin(roles, eq(roles.id, invitationRoles.roleId))
    .where(inArray(invitationRoles.invitationId, [...ids]))
    .orderBy(asc(localNameColumn(roles, locale)), asc(roles.id))

export type RoleInOrganization = { organizationId: string; roleId: string }

const isRoleOf = (userId: string, contractorId: string) =>
  and(eq(userContractorRoles.userId, userId), eq(userContractorRoles.contractorId, contractorId))

/** Returns the roles that a person holds for an enabled contractor; null if they don't belong to it. */
export async function selectHeldPairs(
  database: Connection,
  userId: string,
  contractorId: string,
): Promise<RoleInOrganization[] | null> {
  const [member] = await database
    .select({ id: userContractors.userId })
    .from(userContractors)
    .innerJoin(contractors, and(eq(contractors.id, userContractors.contractorId), contractors.enabled))
    .where(and(eq(userContractors.userId, userId), eq(userContractors.contractorId, contractorId)))
  if (!member) return null
  return database
    .select({ organizationId: userContractorRoles.organizationId, roleId: userContractorRoles.roleId })
    .from(userContractorRoles)
    .where(isRoleOf(userId, contractorId))
}

/** Gives a person roles for a contractor, and takes others. */
export async function changeHeldPairs(
  tx: Transaction,
  userId: string,
  contractorId: string,
  { given, taken }: { given: readonly RoleInOrganization[]; taken: readonly RoleInOrganization[] },
) {
  for (const { organizationId, roleId } of taken)
    await tx
      .delete(userContractorRoles)
      .where(
        and(
          isRoleOf(userId, contractorId),
          eq(userContractorRoles.organizationId, organizationId),
          eq(userContractorRoles.roleId, roleId),
        ),
      )
  if (given.length > 0)
    await tx.insert(userContractorRoles).values(given.map((pair) => ({ userId, contractorId, ...pair })))
}

/** Takes a person out of a contractor, with the roles that they hold for it. */
export const removeMember = (tx: Transaction, userId: string, contractorId: string) =>
  tx
    .delete(userContractors)
    .where(and(eq(userContractors.userId, userId), eq(userContractors.contractorId, contractorId)))

/** Returns the names of these roles. */
export const selectRoleNames = (database: Connection, ids: readonly string[]) =>
  database
    .select({ id: roles.id, name: roles.name, nameEn: roles.nameEn })
    .from(roles)
    .where(inArray(roles.id, [...ids]))

/** Returns the ids of the methods that a person's roles for a contractor give them. */
export async function selectMethodsOfContractorRoles(userId: string, contractorId: string): Promise<string[]> {
  const { rows } = await db().execute<{ id: string }>(sql`
    select distinct rm.method_id as id from ${rolesInEffect} held
    join ${roleMethods} rm on rm.role_id = held.role_id
    where held.user_id = ${userId} and held.contractor_id = ${contractorId}`)
  return rows.map(({ id }) => id)
}
