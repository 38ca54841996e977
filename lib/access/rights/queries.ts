import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { administrators, isAdministrator, mayGiveMethodsOf, rolesGiven } from '@/db/held-roles'
import { isOpenInvitation, rolesInvited } from '@/db/open-invitation'
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

/** What a change gives or takes: the methods of what is named here. */
export type Rights =
  | { methods: readonly string[] }
  /** Methods of roles; `contractor`: those are given or taken for this contractor alone. */
  | { roles: readonly string[]; contractor?: string | null }
  /** What people hold in these organizations. */
  | { organizations: readonly string[] }
  /** What people hold for these contractors, in all organizations or in these. */
  | { contractors: readonly string[]; organizations?: readonly string[] }
  /** What these people were given, in effect or not; `contractor`: what they hold for this contractor alone is given or taken. */
  | { people: readonly string[]; contractor?: string | null }

/** Where roles are held: organizations, or contractors; both together: for these contractors in these organizations. */
export type Places =
  | { organizations: readonly string[]; contractors?: never }
  | { contractors: readonly string[]; organizations?: readonly string[] }

const among = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`

/** Ids of the roles of which somebody is a holder there. For each role an index finds the first holder. */
function rolesHeld(where: (table: SQL) => SQL | undefined, tables: readonly ('user' | 'contractor')[]): SQL {
  const links = { user: sql`${userRoles}`, contractor: sql`${userContractorRoles}` }
  const held = tables.map(
    (table) => sql`exists (select from ${links[table]} h where h.role_id = r.id and ${where(sql`h`)})`,
  )
  return sql`(select r.id from ${roles} r where ${sql.join(held, sql` or `)})`
}

/**
 * Methods that are given or taken. Of a change of people for one contractor, what they hold for another one doesn't
 * count if the caller may give it there.
 */
function methodsOf(rights: Rights, callerId: string | null): SQL {
  if ('methods' in rights) return sql`(select unnest(${sql.param([...rights.methods])}::uuid[]))`
  const of = (roleIds: SQL) => sql`(select rm.method_id from ${roleMethods} rm where rm.role_id in ${roleIds})`
  if ('roles' in rights) return of(sql`(select unnest(${sql.param([...rights.roles])}::uuid[]))`)
  if ('people' in rights) {
    const there = mayGiveMethodsOf(sql`${callerId}::uuid`, sql`theirs.contractor_id`, sql`theirs.role_id`)
    const other = rights.contractor && callerId ? sql` and not (theirs.contractor_id is not null and ${there})` : sql``
    return of(
      sql`(select theirs.role_id from ${rolesGiven} theirs where theirs.user_id = ${among(rights.people)}${other})`,
    )
  }
  if ('contractors' in rights) {
    const { contractors, organizations } = rights
    const there = organizations ? sql` and h.organization_id = ${among(organizations)}` : sql``
    return of(rolesHeld(() => sql`h.contractor_id = ${among(contractors)}${there}`, ['contractor']))
  }
  return of(rolesHeld(() => sql`h.organization_id = ${among(rights.organizations)}`, ['user', 'contractor']))
}

/** Returns the roles that open invitations give in these places. */
export async function selectInvitedRoleIds(run: Run, places: Places, now: Date): Promise<string[]> {
  const { roleId, invitationId, organizationId } = invitationRoles
  const { organizations, contractors } = places
  const there = and(
    organizations && sql`${organizationId} = ${among(organizations)}`,
    contractors && sql`${invitations.contractorId} = ${among(contractors)}`,
  )
  const rows = await run
    .selectDistinct({ roleId })
    .from(invitationRoles)
    .innerJoin(invitations, eq(invitations.id, invitationId))
    .where(and(there, isOpenInvitation(now)))
  return rows.map((row) => row.roleId)
}

/** Whom a change of rights concerns: those who hold a role, or hold roles in an organization or for a contractor. */
export type Whose = { role: string } | { organization: string } | { contractor: string } | { people: readonly string[] }

type Held = { codes: ReadonlySet<string>; ids: ReadonlySet<string>; userId: string | null }

/** A condition: the method `m` isn't among the held ones, as `selectMethodsBeyond` counts them. */
const isBeyond = ({ codes, ids, userId }: Held) => sql`not (case
  when m.kind = 'systemic' then m.code = any(${sql.param([...codes])}::text[]) else m.id = ${among([...ids])} end)
  ${userId ? sql`and not (m.kind = 'application' and ${isAdministrator(userId)})` : sql``}`

/**
 * Returns methods of these rights that aren't among the held ones, those of the platform first, so many at most. For
 * the administrator's role methods of applications count as held, because it may grant them.
 */
export async function selectMethodsBeyond(run: Run, rights: Rights, held: Held, limit: number): Promise<Method[]> {
  const { rows } = await run.execute<Method>(sql`
    select m.id, m.code, m.kind from ${methods} m
    where m.id in ${methodsOf(rights, held.userId)} and ${isBeyond(held)}
    order by m.kind, m.code limit ${limit}`)
  return rows
}

/**
 * The ids of people who have a method that isn't among the held ones, or may come to it: by a role that they were given,
 * in effect or not, or by an open invitation: `id`.
 */
const beyond = (held: Held, now: Date, whom = sql`true`) => sql`
    select distinct held.user_id as id
    from (select user_id, role_id from ${rolesGiven} given union all select * from ${rolesInvited(now)} invited) held
    join ${roleMethods} rm on rm.role_id = held.role_id
    join ${methods} m on m.id = rm.method_id
    where ${whom} and ${isBeyond(held)}`

/** Returns those of these people who have a method that isn't among the held ones, or may come to it. */
export async function selectPeopleBeyond(run: Run, userIds: readonly string[], held: Held, now: Date) {
  const { rows } = await run.execute<{ id: string }>(beyond(held, now, sql`held.user_id = ${among(userIds)}`))
  return new Set(rows.map(({ id }) => id))
}

/** Returns those of these e-mails (lower case) to which an open invitation gives a method that isn't among the held ones. */
export async function selectEmailsBeyond(run: Run, emails: readonly string[], held: Held, now: Date) {
  const { rows } = await run.execute<{ email: string }>(sql`
    select distinct ${invitations.email} as email from ${invitations}
    join ${invitationRoles} on ${invitationRoles.invitationId} = ${invitations.id}
    join ${roleMethods} rm on rm.role_id = ${invitationRoles.roleId}
    join ${methods} m on m.id = rm.method_id
    where ${invitations.email} = any(${sql.param([...emails])}::text[]) and ${isOpenInvitation(now)} and ${isBeyond(held)}`)
  return new Set(rows.map(({ email }) => email))
}

/**
 * Returns by what schemas are chosen for those who are `beyond`: their own schema, and which of these roles they have, in
 * effect or not. People who are alike come once.
 */
export async function selectChoicesBeyond(run: Run, roleIds: readonly string[], held: Held, now: Date) {
  const { rows } = await run.execute<{ own: string | null; roles: string[] }>(sql`
    select distinct ${ownSchemaInForce} as own, array(
      select ur.role_id from ${userRoles} ur where ur.user_id = users.id and ur.role_id = ${among(roleIds)}
      union
      select ucr.role_id from ${userContractorRoles} ucr where ucr.user_id = users.id and ucr.role_id = ${among(roleIds)}
      order by 1
    ) as roles
    from ${users} join (${beyond(held, now)}) more on more.id = users.id`)
  return rows
}

/** The roles that people hold for a contractor in some organizations. */
export type HeldThere = { contractor: string; organizations: readonly string[] }

/** Returns by what schemas are chosen for these people, now and without the roles that they hold there. */
export async function selectChoicesWithout(run: Run, userIds: readonly string[], held: HeldThere) {
  const { rows } = await run.execute<{ own: string | null; roles: string[]; left: string[] }>(sql`
    select ${ownSchemaInForce} as own,
      array(select given.role_id from ${rolesGiven} given where given.user_id = users.id) as roles,
      array(
        select ur.role_id from ${userRoles} ur where ur.user_id = users.id
        union
        select ucr.role_id from ${userContractorRoles} ucr where ucr.user_id = users.id
          and not (ucr.contractor_id = ${held.contractor} and ucr.organization_id = ${among(held.organizations)})
      ) as left
    from ${users} where users.id = ${among(userIds)}`)
  return rows
}

/** Returns by what a person's schema is chosen: their own one, and the roles that they were given. */
export async function selectChoice(run: Run, userId: string) {
  const { rows } = await run.execute<{ own: string | null; roles: string[] }>(sql`
    select ${ownSchemaInForce} as own,
      array(select given.role_id from ${rolesGiven} given where given.user_id = users.id) as roles
    from ${users} where users.id = ${userId}`)
  return rows[0]
}

/**
 * Returns the ids of the people concerned; null if there are more links than `atMost`: then it would be too long a
 * list.
 */
export async function selectPeopleConcerned(run: Run, whose: Whose, atMost: number): Promise<string[] | null> {
  if ('people' in whose) return whose.people.length > atMost ? null : [...new Set(whose.people)]
  const some = (from: SQL, where: SQL) => sql`(select user_id from ${from} where ${where} limit ${atMost + 1})`
  const roleLinks = (where: SQL) => [some(sql`${userRoles}`, where), some(sql`${userContractorRoles}`, where)]
  const found =
    'role' in whose
      ? roleLinks(sql`role_id = ${whose.role}`)
      : 'organization' in whose
        ? roleLinks(sql`organization_id = ${whose.organization}`)
        : [some(sql`${userContractors}`, sql`contractor_id = ${whose.contractor}`)]
  const { rows } = await run.execute<{ user_id: string }>(sql.join(found, sql` union all `))
  return rows.length > atMost ? null : [...new Set(rows.map((row) => row.user_id))]
}

/** Returns what kind of thing this is, with its names; null if it is gone. */
export async function selectNamed(run: Run, whose: Exclude<Whose, { people: unknown }>) {
  const [of, id, table] =
    'role' in whose
      ? (['role', whose.role, roles] as const)
      : 'organization' in whose
        ? (['organization', whose.organization, organizations] as const)
        : (['contractor', whose.contractor, contractors] as const)
  const nameEn = 'nameEn' in table ? table.nameEn : sql<string | null>`null`
  const [row] = await run.select({ name: table.name, nameEn }).from(table).where(eq(table.id, id))
  return row ? { of, id, name: row.name, nameEn: row.nameEn } : null
}

/** Makes changes of who is an administrator run one after another. Take this lock before any other of the change. */
export const lockAdministrators = (tx: Transaction) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('administrators'))`)

/** The same for changes that may run beside each other, but not beside one of who is an administrator. */
export const shareAdministrators = (tx: Transaction) =>
  tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('administrators'))`)

/** Returns whether this person is an administrator. */
export async function isAdministratorNow(tx: Transaction, userId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select where ${isAdministrator(userId)}`)
  return rows.length > 0
}

/** Returns the enabled administrators and this person, with what they can sign in by, and what of it is in doubt. */
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
      roleIds: sql<string[]>`array(
        select ur.role_id from ${userRoles} ur where ur.user_id = users.id
        union select ucr.role_id from ${userContractorRoles} ucr where ucr.user_id = users.id
      )`,
      kinds: sql<string[]>`array(select i.kind::text from ${userIdentifiers} i where i.user_id = users.id)`,
      hasMarks,
    })
    .from(users)
    // an array of ids, not a question to each account: there may be a million of them
    .where(
      and(
        eq(users.enabled, true),
        sql`users.id = any(array(select * from ${administrators} administrators union all select ${self}::uuid))`,
      ),
    )
  return withDoubts(tx, rows)
}
