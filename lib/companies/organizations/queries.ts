import { and, asc, eq, like, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { type CursorParts, cursorPage, type Keys, rowsOf } from '@/db/cursor'
import { chosen, countRows, paged } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { isOpenInvitation } from '@/db/open-invitation'
import { rowsById } from '@/db/rows'
import { invitationRoles, invitations } from '@/db/schema/entry'
import {
  contractorOrganizations,
  contractors,
  organizations,
  roles,
  userContractorRoles,
  userRoles,
} from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { Counted, ListInput } from '@/lib/base/lists/lists'
import type { RequisiteName } from '../requisites'
import type { listOrganizations, searchOrganizations } from './contract'

type Connection = Database | Transaction
type Query = ServiceInput<typeof listOrganizations>['query']
type SearchInput = ServiceInput<typeof searchOrganizations>['query']
export type OrganizationValues = { name: string; nameEn: string | null; code: string } & Record<
  RequisiteName,
  string | null
>

const matching = (text: string) =>
  found(text, [organizations.name, organizations.nameEn, organizations.code, organizations.inn])

/** Returns one page of organizations; names are sorted in the language of `locale`. */
export const selectOrganizationPage = (query: Query, caller: string, pageSize: number | null, locale: string) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'organizations',
      caller,
      sorts: {
        name: { by: localNameColumn(organizations, locale), type: 'text', nullable: false },
        code: organizations.code,
        updatedAt: organizations.updatedAt,
      },
      tie: organizations.id,
      filters: { search: matching, enabled: (enabled) => eq(organizations.enabled, enabled) },
      total: 10_000,
    },
    { rows: rowsOf(organizations), count: (where, atMost) => countRows(organizations, where, atMost) },
  )

/**
 * The first ids of a table in the order of an index, one more than are counted. Without the order PostgreSQL may read
 * the whole table for an organization without any.
 */
const firstIds = (column: SQL, table: SQL, where: SQL, atMost: number, order: SQL) =>
  sql`(select ${column} as id from ${table} where ${where} order by ${order} limit ${atMost + 1})`

/** How many different ids the sources have, and whether their rows were too many to count them all. */
const countJson = (sources: SQL[], atMost: number) => sql`(
  select json_build_object('count', least(count(distinct id), ${atMost}), 'more', count(*) > ${atMost})
  from (${sql.join(sources, sql` union all `)}) found)`

const peopleOf = (where: SQL, atMost: number) =>
  countJson(
    [
      firstIds(sql`user_id`, sql`${userRoles}`, where, atMost, sql`organization_id, role_id`),
      firstIds(sql`user_id`, sql`${userContractorRoles}`, where, atMost, sql`organization_id, role_id`),
    ],
    atMost,
  )

export type Usage = { people: Counted; contractors: Counted }

/** Returns, for each of these organizations, how many people hold roles in it and how many contractors have it. */
export async function selectUsage(database: Connection, ids: string[], atMost: number): Promise<Map<string, Usage>> {
  const inOrganization = sql`organization_id = o.id`
  const available = firstIds(
    sql`contractor_id`,
    sql`${contractorOrganizations}`,
    // a range, because PostgreSQL drops an order by a column that equals one value
    sql`organization_id >= o.id and organization_id <= o.id`,
    atMost,
    sql`organization_id`,
  )
  const { rows } = await database.execute<Usage & { id: string }>(sql`
    select o.id, ${peopleOf(inOrganization, atMost)} as people, ${countJson([available], atMost)} as contractors
    from unnest(${sql.param(ids)}::uuid[]) as o (id)`)
  return new Map(rows.map(({ id, ...usage }) => [id, usage]))
}

/** Returns how many open invitations give a role in an organization. */
export async function selectInvitationCount(
  database: Connection,
  id: string,
  now: Date,
  atMost: number,
): Promise<Counted> {
  const openInvitations = database
    .selectDistinct({ id: invitations.id })
    .from(invitationRoles)
    .innerJoin(invitations, and(eq(invitations.id, invitationRoles.invitationId), isOpenInvitation(now)))
    .where(eq(invitationRoles.organizationId, id))
    .limit(atMost + 1)
  const count = await database.$count(openInvitations.as('found'))
  return { count: Math.min(count, atMost), more: count > atMost }
}

/** Up to how many open invitations of the platform are read for a list. */
const maxOpenInvitations = 10_000

/**
 * Returns how many open invitations give a role in each of these organizations where any does, counted up to a limit.
 */
export async function selectInvitationCounts(ids: string[], now: Date, atMost: number): Promise<Map<string, Counted>> {
  const { rows } = await db().execute<{ id: string; count: number; all: number }>(sql`
    with open as materialized (
      select id from ${invitations} where ${isOpenInvitation(now)} limit ${maxOpenInvitations}
    )
    select ir.organization_id as id, count(distinct open.id)::int as count, (select count(*)::int from open) as all
    from open join ${invitationRoles} ir on ir.invitation_id = open.id
    where ir.organization_id = any(${sql.param(ids)}::uuid[]) group by ir.organization_id`)
  return new Map(
    rows.map(({ id, count, all: openCount }) => [
      id,
      { count: Math.min(count, atMost), more: count > atMost || openCount === maxOpenInvitations },
    ]),
  )
}

/** Nobody can get a role in a locked organization. */
export const organizationRows = rowsById(organizations)

/** Inserts an organization and returns its id and code; undefined if the code is taken. */
export async function insertOrganization(tx: Transaction, values: OrganizationValues, now: Date) {
  const [row] = await tx
    .insert(organizations)
    .values({ ...values, createdAt: now })
    .onConflictDoNothing({ target: organizations.code })
    .returning({ id: organizations.id })
  return row && { id: row.id, code: values.code }
}

/** Returns the codes of organizations that begin with this one. */
export async function selectCodesLike(tx: Transaction, code: string): Promise<Set<string | null>> {
  const rows = await tx
    .select({ code: organizations.code })
    .from(organizations)
    .where(like(organizations.code, `${code}%`))
  return new Set(rows.map((row) => row.code))
}

/** Returns the organizations that a search by name, code or inn (50 at most) or by ids finds, sorted by name. */
export const selectOrganizationOptions = (query: SearchInput, locale: string) => {
  const { id, name, nameEn, code, enabled } = organizations
  const by = localNameColumn(organizations, locale)
  return chosen(db().select({ id, name, nameEn, code, enabled }).from(organizations).$dynamic(), query, {
    id,
    called: matching,
    by,
  })
}

/** Returns the roles that people hold in an organization, sorted by name, each with how many people hold it. */
export const selectRolesHeld = (id: string, locale: string, atMost: number) => {
  const isRoleHere = sql`organization_id = ${id} and role_id = ${roles.id}`
  const isHeld = sql`(exists (select from ${userRoles} where ${isRoleHere}) or exists (select from ${userContractorRoles} where ${isRoleHere}))`
  const { id: roleId, name, nameEn, roleType, enabled } = roles
  return db()
    .select({ id: roleId, name, nameEn, roleType, enabled, people: sql<Counted>`${peopleOf(isRoleHere, atMost)}` })
    .from(roles)
    .where(isHeld)
    .orderBy(asc(localNameColumn(roles, locale)), asc(roleId))
}

/** Returns one page of the contractors that have an organization available. */
export const selectContractorPage = (
  organizationId: string,
  query: ListInput<{ search?: string | undefined }, 'name'>,
  caller: string,
  pageSize: number | null,
) => {
  const available = sql`exists (select from ${contractorOrganizations} co
    where co.contractor_id = ${contractors.id} and co.organization_id = ${organizationId})`
  const { id, name, inn, enabled } = contractors
  const rows = ({ keys, ...parts }: CursorParts) =>
    paged(
      db()
        .select({ id, name, inn, enabled, keys: keys as SQL<Keys> })
        .from(contractors)
        .$dynamic(),
      { ...parts, where: and(available, parts.where) },
    )
  return cursorPage(
    query,
    pageSize,
    {
      list: `organization-contractors ${organizationId}`,
      caller,
      sorts: { name },
      tie: id,
      filters: { search: (text) => found(text, [name, inn]) },
      total: 1_000,
    },
    { rows, count: (where, atMost) => countRows(contractors, and(available, where), atMost) },
  )
}
