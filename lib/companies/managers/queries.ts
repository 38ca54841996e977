import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { type Database, db, executePlanned, type Transaction } from '@/db/client'
import { type ManagedContractors, managesContractor, mayGiveMethodsOf, rolesInEffect } from '@/db/held-roles'
import { localNameColumn } from '@/db/local-name'
import { isOpenInvitation } from '@/db/open-invitation'
import { invitations } from '@/db/schema/entry'
import {
  contractorOrganizations,
  contractors,
  methods,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
  users,
} from '@/db/schema/people'

type Connection = Database | Transaction

/** Returns whether the account is enabled and holds masterAccountAccess platform-wide or for this contractor. */
export async function isManagerOf(userId: string, contractorId: string, database: Connection = db()): Promise<boolean> {
  const rows = await executePlanned(
    database,
    sql`select from ${users} where ${users.id} = ${userId} and ${users.enabled} and ${managesContractor(userId, contractorId)}`,
  )
  return rows.length > 0
}

/** Returns whether an account exists and is enabled. */
export async function isEnabled(database: Connection, userId: string): Promise<boolean> {
  const [row] = await database.select({ enabled: users.enabled }).from(users).where(eq(users.id, userId))
  return row?.enabled === true
}

/**
 * Returns those of these roles that include a method which the user holds neither platform-wide nor for this
 * contractor (docs/rules/access.md#granting).
 */
export async function selectUnassignableRoles(
  userId: string,
  contractorId: string,
  roleIds: string[],
  database: Connection = db(),
) {
  if (roleIds.length === 0) return []
  const rows = await executePlanned<{ roleId: string }>(
    database,
    sql`select wanted.id as "roleId" from unnest(${sql.param(roleIds)}::uuid[]) wanted (id)
    where not ${mayGiveMethodsOf(userId, contractorId, sql`wanted.id`)}`,
  )
  return rows.map(({ roleId }) => roleId)
}

/**
 * Returns the enabled organizations in which the contractor's people may hold roles; null for an unknown contractor.
 */
export async function selectAvailableIds(contractorId: string, database: Connection = db()): Promise<string[] | null> {
  const [contractor] = await database
    .select({ id: contractors.id })
    .from(contractors)
    .where(and(eq(contractors.id, contractorId), eq(contractors.enabled, true)))
  if (!contractor) return null
  const rows = await database
    .select({ id: organizations.id })
    .from(contractorOrganizations)
    .innerJoin(organizations, eq(organizations.id, contractorOrganizations.organizationId))
    .where(and(eq(contractorOrganizations.contractorId, contractorId), eq(organizations.enabled, true)))
  return rows.map(({ id }) => id)
}

/** Returns the enabled organizations in which people of these contractors may hold roles. */
export const selectAvailable = (contractorIds: readonly string[], locale: string) =>
  db()
    .select({
      contractorId: contractorOrganizations.contractorId,
      id: organizations.id,
      name: localNameColumn(organizations, locale),
    })
    .from(contractorOrganizations)
    .innerJoin(organizations, and(eq(organizations.id, contractorOrganizations.organizationId), organizations.enabled))
    .where(inArray(contractorOrganizations.contractorId, [...contractorIds]))
    .orderBy(asc(localNameColumn(organizations, locale)), asc(organizations.id))

/** Returns those of these ids that are enabled contractor roles. */
export async function selectContractorRoleIds(ids: string[], database: Connection = db()): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await database
    .select({ id: roles.id })
    .from(roles)
    .where(and(inArray(roles.id, ids), eq(roles.roleType, 'contractor'), roles.enabled))
  return rows.map(({ id }) => id)
}

/**
 * Locks these roles, this contractor and these organizations against changes until the transaction ends. Returns the
 * contractor; null if there is none.
 */
export async function lockMembershipRows(
  tx: Transaction,
  contractorId: string,
  roleIds: readonly string[] = [],
  organizationIds: readonly string[] = [],
): Promise<{ name: string; enabled: boolean } | null> {
  if (roleIds.length > 0)
    await tx
      .select({ id: roles.id })
      .from(roles)
      .where(inArray(roles.id, [...roleIds]))
      .orderBy(roles.id)
      .for('key share')
  const { name, enabled } = contractors
  const [contractor] = await tx
    .select({ name, enabled })
    .from(contractors)
    .where(eq(contractors.id, contractorId))
    .for('share')
  if (organizationIds.length > 0)
    await tx
      .select({ id: organizations.id })
      .from(organizations)
      .where(inArray(organizations.id, [...organizationIds]))
      .orderBy(organizations.id)
      .for('share')
  return contractor ?? null
}

/** Adds a user to a contractor, unless they are in it already. */
export const linkContractor = (tx: Transaction, userId: string, contractorId: string, now: Date) =>
  tx.insert(userContractors).values({ userId, contractorId, createdAt: now }).onConflictDoNothing()

export type RoleInOrganization = { organizationId: string; roleId: string }

/** Adds contractor roles to those that the user holds. */
export async function insertContractorRoles(
  tx: Transaction,
  userId: string,
  contractorId: string,
  rolesInOrganizations: RoleInOrganization[],
) {
  if (rolesInOrganizations.length === 0) return
  await tx
    .insert(userContractorRoles)
    .values(rolesInOrganizations.map((role) => ({ userId, contractorId, ...role })))
    .onConflictDoNothing()
}

/** Locks a user before a change of their contractors and contractor roles. */
export const lockMember = (tx: Transaction, userId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

/** Returns every contractor of a user, and the user's roles there. */
export async function selectMembership(tx: Transaction, userId: string) {
  const contractorRows = await tx
    .select({ id: userContractors.contractorId })
    .from(userContractors)
    .where(eq(userContractors.userId, userId))
    .orderBy(userContractors.contractorId)
  const { contractorId, organizationId, roleId } = userContractorRoles
  const contractorRoles = await tx
    .select({ contractorId, organizationId, roleId })
    .from(userContractorRoles)
    .where(eq(userContractorRoles.userId, userId))
    .orderBy(contractorId, organizationId, roleId)
  return { contractors: contractorRows.map(({ id }) => id), contractorRoles }
}

/** Returns whether one of these users is in the contractor. */
export async function isMember(userIds: string[], contractorId: string, database: Connection = db()): Promise<boolean> {
  if (userIds.length === 0) return false
  const rows = await database
    .select({ userId: userContractors.userId })
    .from(userContractors)
    .where(and(inArray(userContractors.userId, userIds), eq(userContractors.contractorId, contractorId)))
    .limit(1)
  return rows.length > 0
}

/** Returns which of these users are in which of these contractors, as `user contractor`. */
export async function selectMembersOf(tx: Transaction, userIds: readonly string[], contractorIds: readonly string[]) {
  if (userIds.length === 0) return new Set<string>()
  const rows = await tx
    .select({ userId: userContractors.userId, contractorId: userContractors.contractorId })
    .from(userContractors)
    .where(
      and(inArray(userContractors.userId, [...userIds]), inArray(userContractors.contractorId, [...contractorIds])),
    )
  return new Set(rows.map(({ userId, contractorId }) => `${userId} ${contractorId}`))
}

/** The managers of contractors: user_id, and contractor_id, which is null for a manager of all. */
const managers = sql`(
  select distinct held.user_id, held.contractor_id from ${rolesInEffect} held
  join ${roleMethods} rm on rm.role_id = held.role_id
  join ${methods} m on m.id = rm.method_id and m.kind = 'systemic' and m.code = 'masterAccountAccess'
  where held.contractor_id is not null or held.organization_id is null
)`

/** Returns the contractors that a person manages; none while their account is disabled. */
export async function selectManaged(userId: string, database: Connection = db()): Promise<ManagedContractors> {
  const { rows } = await database.execute<{ id: string | null; inn: string | null }>(sql`
    select held.contractor_id as id, c.inn from ${managers} held
    join ${users} manager on manager.id = held.user_id and manager.enabled
    left join ${contractors} c on c.id = held.contractor_id where held.user_id = ${userId}`)
  if (rows.some(({ id }) => id === null)) return { all: true }
  return { all: false, ids: rows.flatMap(({ id }) => id ?? []), inns: rows.flatMap(({ inn }) => inn ?? []) }
}

/** Up to how many managers of contractors with one inn are notified of a new request. */
const maxRecipients = 50

/**
 * Returns the recipients of notifications of new requests: these accounts, and the managers of contractors with these
 * inns, if they are enabled and have an e-mail. A manager of all contractors is a recipient only as one of these
 * accounts.
 */
export async function selectRequestRecipients(tx: Transaction, userIds: readonly string[], inns: readonly string[]) {
  const { rows } = await tx.execute<{
    id: string
    email: string
    firstName: string
    locale: string | null
    inn: string | null
  }>(sql`
    select u.id, u.email, u.first_name as "firstName", coalesce(s.lang, u.locale) as locale, told.inn
    from (
      select unnest(${sql.param([...userIds])}::uuid[]) as user_id, null::text as inn
      union all
      select user_id, inn from (
        select held.user_id, c.inn, dense_rank() over (partition by c.inn order by held.user_id) as nth
        from ${managers} held
        join ${contractors} c on c.id = held.contractor_id and c.inn = any(${sql.param([...inns])}::text[])
        join ${users} m on m.id = held.user_id and m.enabled and m.email is not null
      ) each where nth <= ${maxRecipients}
    ) told
    join ${users} u on u.id = told.user_id and u.enabled and u.email is not null
    left join user_settings s on s.user_id = u.id
    order by u.id`)
  return rows
}

/** Returns whether a user holds a systemic role other than `user`. */
export async function holdsSystemicRole(database: Connection, userId: string): Promise<boolean> {
  const { rows } = await database.execute(sql`
    select from ${rolesInEffect} held join ${roles} r on r.id = held.role_id
    where held.user_id = ${userId} and r.role_type = 'systemic' and r.code is distinct from 'user' limit 1`)
  return rows.length > 0
}

/** A condition: a role in such a place gives the user masterAccountAccess. */
const isManagerIn = (userId: SQL, place: SQL) => sql`exists (
  select from ${rolesInEffect} held
  join ${roleMethods} rm on rm.role_id = held.role_id
  join ${methods} m on m.id = rm.method_id and m.kind = 'systemic' and m.code = 'masterAccountAccess'
  where held.user_id = ${userId} and ${place})`

/**
 * Returns what leaving a contractor takes from a person: null if they don't belong to it, else how many roles, whether
 * they stop managing it, whether another enabled person of it does, and how many of their invitations to it are open.
 */
export async function selectLoss(database: Connection, userId: string, contractorId: string, now: Date) {
  const [personId, forContractor] = [sql`${userId}::uuid`, sql`held.contractor_id = ${contractorId}`]
  const forPlatform = sql`held.contractor_id is null and held.organization_id is null`
  const isMembership = and(eq(userContractors.userId, userId), eq(userContractors.contractorId, contractorId))
  const [row] = await database
    .select({
      roles: sql<number>`(select count(*)::int from ${userContractorRoles} ucr
        where ucr.user_id = ${userId} and ucr.contractor_id = ${contractorId})`,
      manager: sql<boolean>`(${isManagerIn(personId, forContractor)} and not ${isManagerIn(personId, forPlatform)})`,
      invitations: database.$count(
        invitations,
        and(eq(invitations.contractorId, contractorId), eq(invitations.inviterId, userId), isOpenInvitation(now)),
      ),
    })
    .from(userContractors)
    .where(isMembership)
  if (!row) return null
  if (!row.manager) return { ...row, otherManager: true }
  const otherManagers = await database
    .select({ id: users.id })
    .from(userContractors)
    .innerJoin(users, and(eq(users.id, userContractors.userId), users.enabled))
    .where(
      and(
        eq(userContractors.contractorId, contractorId),
        ne(userContractors.userId, userId),
        isManagerIn(sql`${userContractors.userId}`, forContractor),
      ),
    )
    .limit(1)
  return { ...row, otherManager: otherManagers.length > 0 }
}
