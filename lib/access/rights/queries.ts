import { and, eq, type SQL, sql } from 'drizzle-orm'
import { hasAuthenticatorApp } from '@/db/authenticator-app'
import type { Database, Transaction } from '@/db/client'
import { administrators, isAdministrator, mayGiveMethodsOf, rolesGiven } from '@/db/held-roles'
import { isOpenInvitation, rolesInvited } from '@/db/open-invitation'
import { hasPasskey } from '@/db/passkeys'
import { hasMarks, ownSchemaInForce, withDoubts } from '@/db/prepared-accounts'
import { invitationRoles, invitations } from '@/db/schema/entry'
import {
  contractors,
  methods,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
  userIdentifiers,
  userRoles,
  users,
} from '@/db/schema/people'
import { signsInElsewhere } from '@/db/signs-in-elsewhere'
import type { Method } from '@/lib/base/context/access'

type Run = Database | Transaction

/** The methods that a change gives or takes: named themselves, or by roles, by places or by people. */
export type Rights =
  | { methods: readonly string[] }
  /** Methods of these roles; with `contractor`, given or taken for this contractor only. */
  | { roles: readonly string[]; contractor?: string | null }
  /** Methods that people hold in these organizations. */
  | { organizations: readonly string[] }
  /** Methods that people hold for these contractors, in all organizations or in these. */
  | { contractors: readonly string[]; organizations?: readonly string[] }
  /**
   * Methods of the roles that these people were given, in effect or not; with `contractor`, only what they hold for
   * this contractor is given or taken.
   */
  | { people: readonly string[]; contractor?: string | null }

/**
 * Where roles are held: in organizations, or for contractors. With both, for these contractors in these organizations.
 */
export type RolePlaces =
  | { organizations: readonly string[]; contractors?: never }
  | { contractors: readonly string[]; organizations?: readonly string[] }

const anyOf = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`

/**
 * Selects the ids of the roles that have a holder in `tables` for which `where` is true. For each role an index finds
 * the first holder.
 */
function rolesHeldWhere(where: (table: SQL) => SQL | undefined, tables: readonly ('user' | 'contractor')[]): SQL {
  const links = { user: sql`${userRoles}`, contractor: sql`${userContractorRoles}` }
  const isHeld = tables.map(
    (table) => sql`exists (select from ${links[table]} h where h.role_id = r.id and ${where(sql`h`)})`,
  )
  return sql`(select r.id from ${roles} r where ${sql.join(isHeld, sql` or `)})`
}

/**
 * Selects the ids of the methods that a change gives or takes. If it changes people for one contractor, their roles for
 * another contractor don't count if the caller may give them there.
 */
function methodsOf(rights: Rights, callerId: string | null): SQL {
  if ('methods' in rights) return sql`(select unnest(${sql.param([...rights.methods])}::uuid[]))`
  const methodsOfRoles = (roleIds: SQL) =>
    sql`(select rm.method_id from ${roleMethods} rm where rm.role_id in ${roleIds})`
  if ('roles' in rights) return methodsOfRoles(sql`(select unnest(${sql.param([...rights.roles])}::uuid[]))`)
  if ('people' in rights) {
    const condition = mayGiveMethodsOf(sql`${callerId}::uuid`, sql`theirs.contractor_id`, sql`theirs.role_id`)
    const except =
      rights.contractor && callerId ? sql` and not (theirs.contractor_id is not null and ${condition})` : sql``
    return methodsOfRoles(
      sql`(select theirs.role_id from ${rolesGiven} theirs where theirs.user_id = ${anyOf(rights.people)}${except})`,
    )
  }
  if ('contractors' in rights) {
    const { contractors, organizations } = rights
    const condition = organizations ? sql` and h.organization_id = ${anyOf(organizations)}` : sql``
    return methodsOfRoles(
      rolesHeldWhere(() => sql`h.contractor_id = ${anyOf(contractors)}${condition}`, ['contractor']),
    )
  }
  return methodsOfRoles(
    rolesHeldWhere(() => sql`h.organization_id = ${anyOf(rights.organizations)}`, ['user', 'contractor']),
  )
}

/** Returns the roles that open invitations give in these places. */
export async function selectInvitedRoleIds(run: Run, places: RolePlaces, now: Date): Promise<string[]> {
  const { roleId, invitationId, organizationId } = invitationRoles
  const { organizations, contractors } = places
  const inPlaces = and(
    organizations && sql`${organizationId} = ${anyOf(organizations)}`,
    contractors && sql`${invitations.contractorId} = ${anyOf(contractors)}`,
  )
  const rows = await run
    .selectDistinct({ roleId })
    .from(invitationRoles)
    .innerJoin(invitations, eq(invitations.id, invitationId))
    .where(and(inPlaces, isOpenInvitation(now)))
  return rows.map((row) => row.roleId)
}

/**
 * The group of people that a change of rights concerns: the holders of a role, people with roles in an organization,
 * the people of a contractor, or these people.
 */
export type Group = { role: string } | { organization: string } | { contractor: string } | { people: readonly string[] }

type Holder = { codes: ReadonlySet<string>; ids: ReadonlySet<string>; userId: string | null }

/** Returns the condition that the method `m` isn't held, as `selectMethodsNotHeld` counts it. */
const notHeld = ({ codes, ids, userId }: Holder) => sql`not (case
  when m.kind = 'systemic' then m.code = any(${sql.param([...codes])}::text[]) else m.id = ${anyOf([...ids])} end)
  ${userId ? sql`and not (m.kind = 'application' and ${isAdministrator(userId)})` : sql``}`

/**
 * Returns at most `limit` methods of these rights that aren't held, those of the platform first. Methods of
 * applications count as held by an administrator, because an administrator may grant them.
 */
export async function selectMethodsNotHeld(run: Run, rights: Rights, holder: Holder, limit: number): Promise<Method[]> {
  const { rows } = await run.execute<Method>(sql`
    select m.id, m.code, m.kind from ${methods} m
    where m.id in ${methodsOf(rights, holder.userId)} and ${notHeld(holder)}
    order by m.kind, m.code limit ${limit}`)
  return rows
}

/**
 * Selects as `id` the people who have a method that isn't held, or may get one: by a role that they were given, in
 * effect or not, or by an open invitation.
 */
const peopleWithMoreMethods = (holder: Holder, now: Date, condition = sql`true`) => sql`
    select distinct held.user_id as id
    from (select user_id, role_id from ${rolesGiven} given union all select * from ${rolesInvited(now)} invited) held
    join ${roleMethods} rm on rm.role_id = held.role_id
    join ${methods} m on m.id = rm.method_id
    where ${condition} and ${notHeld(holder)}`

/** Returns those of these people who have a method that isn't held, or may get one. */
export async function selectPeopleWithMore(run: Run, userIds: readonly string[], holder: Holder, now: Date) {
  const { rows } = await run.execute<{ id: string }>(
    peopleWithMoreMethods(holder, now, sql`held.user_id = ${anyOf(userIds)}`),
  )
  return new Set(rows.map(({ id }) => id))
}

/** Returns those of these e-mails (lower case) to which an open invitation gives a method that isn't held. */
export async function selectEmailsInvitedToMore(run: Run, emails: readonly string[], holder: Holder, now: Date) {
  const { rows } = await run.execute<{ email: string }>(sql`
    select distinct ${invitations.email} as email from ${invitations}
    join ${invitationRoles} on ${invitationRoles.invitationId} = ${invitations.id}
    join ${roleMethods} rm on rm.role_id = ${invitationRoles.roleId}
    join ${methods} m on m.id = rm.method_id
    where ${invitations.email} = any(${sql.param([...emails])}::text[]) and ${isOpenInvitation(now)} and ${notHeld(holder)}`)
  return new Set(rows.map(({ email }) => email))
}

/**
 * Returns, for the people who have or may get a method that isn't held, what chooses their schema: their own schema,
 * and those of these roles that they have, in effect or not. Equal rows come once.
 */
export async function selectChoicesOfPeopleWithMore(run: Run, roleIds: readonly string[], holder: Holder, now: Date) {
  const { rows } = await run.execute<{ own: string | null; roles: string[] }>(sql`
    select distinct ${ownSchemaInForce} as own, array(
      select ur.role_id from ${userRoles} ur where ur.user_id = users.id and ur.role_id = ${anyOf(roleIds)}
      union
      select ucr.role_id from ${userContractorRoles} ucr where ucr.user_id = users.id and ucr.role_id = ${anyOf(roleIds)}
      order by 1
    ) as roles
    from ${users} join (${peopleWithMoreMethods(holder, now)}) more on more.id = users.id`)
  return rows
}

/** The roles that people hold for a contractor in some organizations. */
export type PlacedRoles = { contractor: string; organizations: readonly string[] }

/**
 * Returns what chooses the schema of each of these people: their own schema, and their roles now (`roles`) and without
 * the removed ones (`left`).
 */
export async function selectChoicesWithoutRoles(run: Run, userIds: readonly string[], removed: PlacedRoles) {
  const { rows } = await run.execute<{ own: string | null; roles: string[]; left: string[] }>(sql`
    select ${ownSchemaInForce} as own,
      array(select given.role_id from ${rolesGiven} given where given.user_id = users.id) as roles,
      array(
        select ur.role_id from ${userRoles} ur where ur.user_id = users.id
        union
        select ucr.role_id from ${userContractorRoles} ucr where ucr.user_id = users.id
          and not (ucr.contractor_id = ${removed.contractor} and ucr.organization_id = ${anyOf(removed.organizations)})
      ) as left
    from ${users} where users.id = ${anyOf(userIds)}`)
  return rows
}

/** Returns what chooses the schema of a person: their own schema, and the roles that they were given. */
export async function selectChoice(run: Run, userId: string) {
  const { rows } = await run.execute<{ own: string | null; roles: string[] }>(sql`
    select ${ownSchemaInForce} as own,
      array(select given.role_id from ${rolesGiven} given where given.user_id = users.id) as roles
    from ${users} where users.id = ${userId}`)
  return rows[0]
}

/** Returns the ids of the people concerned; null if there are more links than `atMost`, too many to list. */
export async function selectPeopleConcerned(run: Run, concerned: Group, atMost: number): Promise<string[] | null> {
  if ('people' in concerned) return concerned.people.length > atMost ? null : [...new Set(concerned.people)]
  const limitedUserIds = (from: SQL, where: SQL) =>
    sql`(select user_id from ${from} where ${where} limit ${atMost + 1})`
  const roleLinks = (where: SQL) => [
    limitedUserIds(sql`${userRoles}`, where),
    limitedUserIds(sql`${userContractorRoles}`, where),
  ]
  const userLists =
    'role' in concerned
      ? roleLinks(sql`role_id = ${concerned.role}`)
      : 'organization' in concerned
        ? roleLinks(sql`organization_id = ${concerned.organization}`)
        : [limitedUserIds(sql`${userContractors}`, sql`contractor_id = ${concerned.contractor}`)]
  const { rows } = await run.execute<{ user_id: string }>(sql.join(userLists, sql` union all `))
  return rows.length > atMost ? null : [...new Set(rows.map((row) => row.user_id))]
}

/** Returns the kind (`of`) and the names of a role, organization or contractor; null if it no longer exists. */
export async function selectNames(run: Run, concerned: Exclude<Group, { people: unknown }>) {
  const [of, id, table] =
    'role' in concerned
      ? (['role', concerned.role, roles] as const)
      : 'organization' in concerned
        ? (['organization', concerned.organization, organizations] as const)
        : (['contractor', concerned.contractor, contractors] as const)
  const nameEn = 'nameEn' in table ? table.nameEn : sql<string | null>`null`
  const [row] = await run.select({ name: table.name, nameEn }).from(table).where(eq(table.id, id))
  return row ? { of, id, name: row.name, nameEn: row.nameEn } : null
}

/**
 * Takes the lock under which changes of administrators run one after another. Take it before every other lock of the
 * change.
 */
export const lockAdministrators = (tx: Transaction) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('administrators'))`)

/**
 * Takes the same lock shared: changes under it run in parallel with each other, but not with a change of
 * administrators.
 */
export const shareAdministrators = (tx: Transaction) =>
  tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('administrators'))`)

/** Returns whether this person is an administrator. */
export async function isAdministratorNow(tx: Transaction, userId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select where ${isAdministrator(userId)}`)
  return rows.length > 0
}

/**
 * Returns the enabled administrators and this person, with the fields by which they can sign in, and which of these are
 * in doubt.
 */
export async function selectAdministratorsAnd(tx: Transaction, self: string | null) {
  const rows = await tx
    .select({
      id: users.id,
      administrator: isAdministrator(sql`users.id`),
      passwordHash: users.passwordHash,
      providerId: users.providerId,
      atProvider: signsInElsewhere,
      email: users.email,
      mobile: users.mobile,
      authenticationSchemaId: users.authenticationSchemaId,
      hasAuthenticatorApp,
      hasPasskey,
      roleIds: sql<string[]>`array(
        select ur.role_id from ${userRoles} ur where ur.user_id = users.id
        union select ucr.role_id from ${userContractorRoles} ucr where ucr.user_id = users.id
      )`,
      kinds: sql<string[]>`array(select i.kind::text from ${userIdentifiers} i where i.user_id = users.id)`,
      hasMarks,
    })
    .from(users)
    // an array of ids, not a condition for each account: there may be a million accounts
    .where(
      and(
        eq(users.enabled, true),
        sql`users.id = any(array(select * from ${administrators} administrators union all select ${self}::uuid))`,
      ),
    )
  return withDoubts(tx, rows)
}
