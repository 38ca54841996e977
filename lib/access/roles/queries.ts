import { and, asc, eq, getTableColumns, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, prepared, type Transaction } from '@/db/client'
import { cursorPage } from '@/db/cursor'
import { methodIdsInEffect, rolesInEffect } from '@/db/held-roles'
import { chosen, countRows, paged } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { isOpenInvitation } from '@/db/open-invitation'
import { rowsById } from '@/db/rows'
import { newVersion } from '@/db/schema/columns'
import { invitationRoles, invitations } from '@/db/schema/entry'
import {
  authenticationSchemaRoles,
  contractors,
  methods,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userRoles,
} from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { Counted } from '@/lib/base/lists/lists'
import type { listRoles, RoleInput, searchMethods, searchRoles } from './contract'

type Run = Database | Transaction

const methodsByUser = prepared('methods_by_user', (database) => {
  const isHeld = sql<boolean>`${methods.id} in ${methodIdsInEffect(sql.placeholder('userId'))}`
  return database
    .select({ id: methods.id, code: methods.code, kind: methods.kind, held: isHeld })
    .from(methods)
    .where(or(eq(methods.kind, 'systemic'), isHeld))
})

/**
 * Returns all systemic methods, and the application methods that the user holds; `held` is true for those that come
 * from a role in effect.
 */
export const selectMethods = (userId: string, run?: Run) => methodsByUser(run).execute({ userId })

const methodIdsInEffectAmong = prepared('methods_held_among', (database) =>
  database
    .select({ id: methods.id })
    .from(methods)
    .where(
      sql`${methods.id} = any(${sql.placeholder('ids')}::uuid[]) and ${methods.id} in ${methodIdsInEffect(sql.placeholder('userId'))}`,
    ),
)

/** Returns those of these methods that a role of the user includes. */
export const selectHeldMethodIds = (userId: string, ids: string[]) => methodIdsInEffectAmong().execute({ userId, ids })

const called = (text: string) => found(text, [roles.name, roles.nameEn, roles.comment, roles.commentEn, roles.code])

/** Returns one page of roles, without their methods and holders; names are sorted in the language of `locale`. */
export const selectRolePage = (
  query: ServiceInput<typeof listRoles>['query'],
  caller: string,
  pageSize: number | null,
  locale: string,
) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'roles',
      caller,
      sorts: {
        name: { by: localNameColumn(roles, locale), type: 'text', nullable: false },
        roleType: roles.roleType,
        updatedAt: roles.updatedAt,
      },
      tie: roles.id,
      filters: {
        search: called,
        roleType: (types) => inArray(roles.roleType, types),
        enabled: (enabled) => eq(roles.enabled, enabled),
        method: (id) =>
          inArray(
            roles.id,
            db().select({ id: roleMethods.roleId }).from(roleMethods).where(eq(roleMethods.methodId, id)),
          ),
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({ ...getTableColumns(roles), keys })
            .from(roles)
            .$dynamic(),
          parts,
        ),
      count: (where) => countRows(roles, where),
    },
  )

/** Returns how many methods each of these roles has, and how many people hold it, counted up to `atMost`. */
export async function selectRoleCounts(ids: string[], atMost: number, run: Run = db()) {
  const links = (
    table: SQL, // in the order of the index: without it all links of a role are read first
  ) => sql`(select user_id from ${table} where role_id = role.id order by user_id limit ${atMost + 1})`
  const { rows } = await run.execute<{ id: string; methods: number; people: number; links: number }>(sql`
    select role.id, held.people, held.links,
      (select count(*)::int from ${roleMethods} where role_id = role.id) as methods
    from unnest(${sql.param(ids)}::uuid[]) role (id), lateral (
      select count(*)::int as links, count(distinct user_id)::int as people
      from (${links(sql`${userRoles}`)} union all ${links(sql`${userContractorRoles}`)}) link
    ) held`)
  return new Map(
    rows.map(({ id, methods: methodCount, people, links: linkCount }) => {
      const holders: Counted = { count: Math.min(people, atMost), more: linkCount > atMost }
      return [id, { methodCount, holders }]
    }),
  )
}

/** Nobody can get a locked role until the transaction ends, so no holder is missed. */
export const roleRows = rowsById(roles)

const methodColumns = {
  id: methods.id,
  code: methods.code,
  name: methods.name,
  nameEn: methods.nameEn,
  kind: methods.kind,
  application: {
    id: applications.id,
    code: applications.code,
    name: applications.name,
    nameEn: applications.nameEn,
  },
}
const describedMethods = (run: Run) =>
  run.select(methodColumns).from(methods).leftJoin(applications, eq(applications.id, methods.applicationId)).$dynamic()
const inOrder = [asc(methods.kind), asc(applications.name), asc(methods.code), asc(methods.id)]

/** Returns the methods of a role, those of the platform first. */
export const selectRoleMethods = (roleId: string, run: Run = db()) =>
  describedMethods(run)
    .where(
      inArray(
        methods.id,
        run.select({ id: roleMethods.methodId }).from(roleMethods).where(eq(roleMethods.roleId, roleId)),
      ),
    )
    .orderBy(...inOrder)

/** Returns all methods, those of the platform first. */
export const selectAllMethods = () => describedMethods(db()).orderBy(...inOrder)

/** Returns the methods with these ids. */
export const selectMethodsByIds = (run: Run, ids: string[]) =>
  describedMethods(run)
    .where(inArray(methods.id, ids))
    .orderBy(...inOrder)

/** Returns the methods that a search by name or code (50 at most) or by ids finds. */
export const selectMethodOptions = ({ accessType, ...query }: ServiceInput<typeof searchMethods>['query']) =>
  chosen(describedMethods(db()), query, {
    id: methods.id,
    called: (text) => found(text, [methods.name, methods.nameEn, methods.code]),
    by: methods.code,
    among: accessType ? eq(methods.kind, accessType) : undefined,
  })

/** Returns the roles that a search by name (50 at most) or by ids finds, sorted by name. */
export const selectRoleOptions = ({ roleType, ...query }: ServiceInput<typeof searchRoles>['query'], locale: string) =>
  chosen(
    db()
      .select({
        id: roles.id,
        name: roles.name,
        nameEn: roles.nameEn,
        roleType: roles.roleType,
        enabled: roles.enabled,
      })
      .from(roles)
      .$dynamic(),
    query,
    {
      id: roles.id,
      called,
      by: localNameColumn(roles, locale),
      among: roleType ? eq(roles.roleType, roleType) : undefined,
    },
  )

/** Returns how many active schemas are tied to a role, and how many open invitations would give it. */
export async function selectRoleUsage(run: Run, id: string, now: Date) {
  const schemas = await run.$count(authenticationSchemaRoles, eq(authenticationSchemaRoles.roleId, id))
  const openInvitations = run
    .select({ id: invitationRoles.invitationId })
    .from(invitationRoles)
    .innerJoin(invitations, and(eq(invitations.id, invitationRoles.invitationId), isOpenInvitation(now)))
    .where(eq(invitationRoles.roleId, id))
    .groupBy(invitationRoles.invitationId)
    .limit(1_000)
  return { schemas, invitations: await run.$count(openInvitations.as('open')) }
}

type RoleValues = Omit<RoleInput, 'methods' | 'nameEn'> & { nameEn: string | null }

/** Adds the role of a method. Returns false if it exists already. */
export async function insertMethodRole(tx: Transaction, id: string, values: RoleValues & { code: string }, now: Date) {
  const row = { id, ...values, immutable: true, createdAt: now }
  return (await tx.insert(roles).values(row).onConflictDoNothing().returning({ id: roles.id })).length > 0
}

/** Returns the roles with these codes. */
export const selectRolesByCode = (codes: readonly string[]) =>
  db()
    .select({ id: roles.id, code: roles.code })
    .from(roles)
    .where(inArray(roles.code, [...codes]))

/** Takes the lock under which changes of the names of roles run one after another. */
export const lockRoleNames = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('role names'))`)

/** The names of a role that readers of Russian and of English see. */
const displayedNames = { name: roles.name, nameEn: sql`coalesce(nullif(${roles.nameEn}, ''), ${roles.name})` }

/** Every space that JavaScript knows; PostgreSQL's own class lacks the non-breaking ones. */
const spaces = '[\\s\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]+'

/** Returns whether readers of a language see another role under this name, whatever its case and its spaces. */
export async function isRoleName(tx: Transaction, column: 'name' | 'nameEn', name: string, exceptId: string) {
  const isSameName = sql`lower(regexp_replace(${displayedNames[column]}, ${spaces}, ' ', 'g')) = lower(${name})`
  return (await tx.$count(roles, and(isSameName, ne(roles.id, exceptId)))) > 0
}

export const updateRoleRow = (tx: Transaction, id: string, values: RoleValues) =>
  tx
    .update(roles)
    .set({ ...values, ...newVersion })
    .where(eq(roles.id, id))

/** Adds methods to a role and removes others. */
export async function storeRoleMethods(
  tx: Transaction,
  id: string,
  { add, remove }: Record<'add' | 'remove', string[]>,
) {
  if (remove.length > 0)
    await tx.delete(roleMethods).where(and(eq(roleMethods.roleId, id), inArray(roleMethods.methodId, remove)))
  if (add.length > 0) await tx.insert(roleMethods).values(add.map((methodId) => ({ roleId: id, methodId })))
}

/**
 * Returns for how many people a role is in effect, or would be if it were enabled; how many of them would gain a method
 * of `give`, and how many would lose a method of `take` that no other role gives them. Looks at `atMost` people.
 */
export async function selectEffect(
  id: string,
  { give, take }: { give: string[]; take: string[] },
  atMost: number,
): Promise<{ people: number; more: boolean; gain: number; lose: number }> {
  const heldByOtherRole = sql`exists (
    select from ${rolesInEffect} held join ${roleMethods} rm on rm.role_id = held.role_id
    where held.user_id = person.user_id and held.role_id <> ${id} and rm.method_id = wanted.id)`
  const lacksAny = (ids: string[]) => sql`exists (
    select from unnest(${sql.param(ids)}::uuid[]) wanted (id) where not ${heldByOtherRole})`
  const { rows } = await db().execute<{ people: number; links: number; gain: number; lose: number }>(sql`
    with link as (
      (select ur.user_id from ${userRoles} ur left join ${organizations} o on o.id = ur.organization_id
        where ur.role_id = ${id} and o.enabled is not false limit ${atMost + 1})
      union all
      (select ucr.user_id from ${userContractorRoles} ucr
        join ${organizations} o on o.id = ucr.organization_id and o.enabled
        join ${contractors} c on c.id = ucr.contractor_id and c.enabled
        where ucr.role_id = ${id} limit ${atMost + 1})
    ), person as (select distinct user_id from link limit ${atMost})
    select count(*)::int as people, (select count(*)::int from link) as links,
      (count(*) filter (where ${lacksAny(give)}))::int as gain, (count(*) filter (where ${lacksAny(take)}))::int as lose
    from person`)
  const [row] = rows
  if (!row) throw new Error('an effect returned no row')
  const { links, ...counts } = row
  return { ...counts, more: links > atMost }
}
