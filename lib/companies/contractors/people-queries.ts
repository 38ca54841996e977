import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { type InvitedRoleFault, invitedRoleFault } from '@/db/open-invitation'
import { invitationRoles, invitations } from '@/db/schema/entry'
import { contractors, organizations, roles, userContractorRoles, userContractors, users } from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listContractorInvitations, listContractorPeople } from './contract'
import { maxCounted } from './queries'

type Connection = Database | Transaction
type PeopleInput = ServiceInput<typeof listContractorPeople>['query']
type InvitationInput = ServiceInput<typeof listContractorInvitations>['query']

/** A person's name; empty for an account without one, because its login is only for readers of users. */
const personName = sql<string>`coalesce(nullif(${users.fio}, ''),
  concat_ws(' ', nullif(${users.lastName}, ''), nullif(${users.firstName}, '')))`

/**
 * Returns one page of a contractor's people, without their roles. With `mayReadUsers` the search covers logins and
 * e-mails too.
 */
export const selectPeoplePage = (
  contractorId: string,
  query: PeopleInput,
  caller: string,
  pageSize: number | null,
  mayReadUsers: boolean,
) => {
  const inContractor = (where: SQL | undefined) => and(eq(userContractors.contractorId, contractorId), where)
  return cursorPage(
    query,
    pageSize,
    {
      list: `contractor-people ${contractorId}`,
      caller,
      sorts: { name: { by: personName, type: 'text', nullable: false } },
      tie: users.id,
      total: maxCounted,
      filters: {
        search: (text) => found(text, [personName, mayReadUsers && users.login, mayReadUsers && users.email]),
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({
              id: users.id,
              name: personName.as('person_name'),
              login: users.login,
              enabled: users.enabled,
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(userContractors)
            .innerJoin(users, eq(users.id, userContractors.userId))
            .$dynamic(),
          { ...parts, where: inContractor(parts.where) },
        ),
      count: async (where, atMost) => {
        const matches = db()
          .select({ one: sql<number>`1`.as('one') })
          .from(userContractors)
          .innerJoin(users, eq(users.id, userContractors.userId))
          .where(inContractor(where))
          .$dynamic()
        return db().$count((atMost === undefined ? matches : matches.limit(atMost)).as('found'))
      },
    },
  )
}

/** Returns the roles that these people hold for a contractor, by organization, with names in a language. */
export const selectRolesOf = (contractorId: string, userIds: string[], locale: string) =>
  db()
    .select({
      userId: userContractorRoles.userId,
      organizationId: organizations.id,
      organization: localNameColumn(organizations, locale),
      roleId: roles.id,
      role: localNameColumn(roles, locale),
    })
    .from(userContractorRoles)
    .innerJoin(organizations, eq(organizations.id, userContractorRoles.organizationId))
    .innerJoin(roles, eq(roles.id, userContractorRoles.roleId))
    .where(and(eq(userContractorRoles.contractorId, contractorId), inArray(userContractorRoles.userId, userIds)))
    .orderBy(asc(localNameColumn(organizations, locale)), asc(organizations.id), asc(localNameColumn(roles, locale)))

/** Returns one page of the invitations to a contractor, in any state. */
export const selectInvitationPage = (
  contractorId: string,
  query: InvitationInput,
  caller: string,
  pageSize: number | null,
) => {
  const toContractor = (where: SQL | undefined) => and(eq(invitations.contractorId, contractorId), where)
  return cursorPage(
    query,
    pageSize,
    {
      list: `contractor-invitations ${contractorId}`,
      caller,
      sorts: { createdAt: invitations.createdAt },
      tie: invitations.id,
      total: maxCounted,
      filters: { search: (text) => found(text, [invitations.email]) },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({
              id: invitations.id,
              email: invitations.email,
              status: invitations.status,
              inviter: sql<string>`coalesce(${personName}, '')`.as('inviter'),
              createdAt: invitations.createdAt,
              expiresAt: invitations.expiresAt,
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(invitations)
            .leftJoin(users, eq(users.id, invitations.inviterId))
            .$dynamic(),
          { ...parts, where: toContractor(parts.where) },
        ),
      count: (where, atMost) => countRows(invitations, toContractor(where), atMost),
    },
  )
}

/**
 * Returns the roles of these invitations, each with the fault that keeps it from being given now, with names in a
 * language.
 */
export async function selectInvitedRoles(invitationIds: readonly string[], locale: string) {
  const { organizationId, roleId } = invitationRoles
  const rows = await db()
    .select({
      invitationId: invitations.id,
      fault: sql<InvitedRoleFault | null>`${invitedRoleFault}`,
      organizationId,
      organization: localNameColumn(organizations, locale),
      roleId,
      role: localNameColumn(roles, locale),
    })
    .from(invitationRoles)
    .innerJoin(invitations, eq(invitations.id, invitationRoles.invitationId))
    .innerJoin(organizations, eq(organizations.id, organizationId))
    .innerJoin(roles, eq(roles.id, roleId))
    .where(inArray(invitations.id, [...invitationIds]))
    .orderBy(asc(localNameColumn(organizations, locale)), asc(organizationId), asc(localNameColumn(roles, locale)))
  return rows.map(({ invitationId, fault, ...row }) => ({
    invitationId,
    fault,
    organization: { id: row.organizationId, name: row.organization },
    role: { id: row.roleId, name: row.role },
  }))
}

/** Every contractor and contractor role of a person, in the form of audit events. */
export type Membership = {
  contractors: string[]
  contractorRoles: { contractorId: string; organizationId: string; roleId: string }[]
}

/** Returns the memberships of these people, sorted as in all audit events. */
export async function selectMemberships(
  database: Connection,
  userIds: readonly string[],
): Promise<Map<string, Membership>> {
  const memberships = new Map<string, Membership>(userIds.map((id) => [id, { contractors: [], contractorRoles: [] }]))
  if (userIds.length === 0) return memberships
  const anyOfUsers = sql`any(${sql.param([...userIds])}::uuid[])`
  const contractorRows = await database
    .select({ userId: userContractors.userId, contractorId: userContractors.contractorId })
    .from(userContractors)
    .where(sql`${userContractors.userId} = ${anyOfUsers}`)
    .orderBy(asc(userContractors.contractorId))
  for (const { userId, contractorId } of contractorRows) memberships.get(userId)?.contractors.push(contractorId)
  const { userId, contractorId, organizationId, roleId } = userContractorRoles
  const roleRows = await database
    .select({ userId, contractorId, organizationId, roleId })
    .from(userContractorRoles)
    .where(sql`${userId} = ${anyOfUsers}`)
    .orderBy(asc(contractorId), asc(organizationId), asc(roleId))
  for (const { userId, ...role } of roleRows) memberships.get(userId)?.contractorRoles.push(role)
  return memberships
}

/** Locks these people before a change of what they hold, in the order of their ids. */
export const lockPeople = (tx: Transaction, userIds: readonly string[]) =>
  tx
    .select({ id: users.id })
    .from(users)
    .where(sql`${users.id} = any(${sql.param([...userIds])}::uuid[])`)
    .orderBy(asc(users.id))
    .for('no key update')

/** Returns the ids of the people who hold roles for a contractor in these organizations. */
export async function selectHolders(
  database: Connection,
  contractorId: string,
  organizationIds: string[],
): Promise<string[]> {
  const rows = await database
    .selectDistinct({ userId: userContractorRoles.userId })
    .from(userContractorRoles)
    .where(isRoleIn(contractorId, organizationIds))
  return rows.map((row) => row.userId)
}

const isRoleIn = (contractorId: string, organizationIds: string[]) =>
  and(eq(userContractorRoles.contractorId, contractorId), inArray(userContractorRoles.organizationId, organizationIds))

export const removeRolesIn = (tx: Transaction, contractorId: string, organizationIds: string[]) =>
  tx.delete(userContractorRoles).where(isRoleIn(contractorId, organizationIds))

/** Returns, for each organization in which people hold roles for a contractor, how many people and how many roles. */
export const selectHeldByOrganization = (database: Connection, contractorId: string, locale: string) =>
  database
    .select({
      id: organizations.id,
      name: localNameColumn(organizations, locale),
      people: sql<number>`count(distinct ${userContractorRoles.userId})::int`,
      roles: sql<number>`count(*)::int`,
    })
    .from(userContractorRoles)
    .innerJoin(organizations, eq(organizations.id, userContractorRoles.organizationId))
    .where(eq(userContractorRoles.contractorId, contractorId))
    .groupBy(organizations.id)
    .orderBy(asc(localNameColumn(organizations, locale)), asc(organizations.id))

/**
 * Locks these contractors, so that none is deleted or merged before the transaction ends. Returns the ids of those that
 * exist.
 */
export async function shareContractors(tx: Transaction, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ id: contractors.id })
    .from(contractors)
    .where(inArray(contractors.id, [...ids]))
    .orderBy(contractors.id)
    .for('share')
  return new Set(rows.map(({ id }) => id))
}

/** Puts people into contractors. */
export const insertMemberships = (tx: Transaction, rows: readonly { userId: string; contractorId: string }[]) =>
  tx
    .insert(userContractors)
    .values([...rows])
    .onConflictDoNothing()

/** Takes a person out of contractors, with the roles held for them, and puts them into others. */
export async function replaceMemberships(tx: Transaction, userId: string, change: { gone: string[]; added: string[] }) {
  if (change.gone.length > 0)
    await tx
      .delete(userContractors)
      .where(and(eq(userContractors.userId, userId), inArray(userContractors.contractorId, change.gone)))
  if (change.added.length > 0)
    await tx
      .insert(userContractors)
      .values(change.added.map((contractorId) => ({ userId, contractorId })))
      .onConflictDoNothing()
}
