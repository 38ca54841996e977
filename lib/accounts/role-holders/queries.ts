import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage } from '@/db/cursor'
import { chosen, countRows, paged } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import {
  contractorOrganizations,
  contractors,
  organizations,
  roles,
  userContractorRoles,
  userContractors,
  userRoles,
  users,
} from '@/db/schema/people'
import { found } from '@/db/search'
import { countedHolders } from '@/lib/access/roles/contract'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { Holder, listHolders, searchRolePlaces } from './contract'

type Run = Database | Transaction
export type Place = { organizationId: string | null; contractorId: string | null }

/** Up to how many holders are counted that a search finds, and how many of a person's places a list shows. */
const countedFound = 100
export const placesShown = 10

/** Contractor roles are in a table of their own. */
const linksOf = (roleType: string) => (roleType === 'contractor' ? userContractorRoles : userRoles)

/** Returns the type and the names of a role; undefined if there is none. */
export async function selectRoleOf(run: Run, id: string) {
  const { roleType, code, name, nameEn } = roles
  const [row] = await run.select({ roleType, code, name, nameEn }).from(roles).where(eq(roles.id, id))
  return row
}

/** Locks a role so that its methods can't change while it is given or taken; others may be given it meanwhile. */
export const shareRole = (tx: Transaction, id: string) =>
  tx.select({ id: roles.id }).from(roles).where(eq(roles.id, id)).for('key share')

/** Links of a role in the order of its index, which alone is read. */
const firstLinks = (links: typeof userRoles | typeof userContractorRoles, roleId: string, atMost: number) =>
  sql`(select user_id from ${links} where role_id = ${roleId} order by user_id limit ${atMost})`

/** Returns whether a role has so few links that all can be read. */
async function isRare(links: typeof userRoles | typeof userContractorRoles, roleId: string): Promise<boolean> {
  const { rows } = await db().execute<{ few: boolean }>(
    sql`select count(*) <= ${countedHolders} as few from ${firstLinks(links, roleId, countedHolders + 1)} link`,
  )
  return rows[0]?.few === true
}

/** Returns one page of the people who hold a role, by name. */
export const selectHolderPage = async (
  role: { id: string; roleType: string },
  query: ServiceInput<typeof listHolders>['query'],
  caller: string,
  pageSize: number | null,
  known: boolean,
) => {
  const links = linksOf(role.roleType)
  const held = sql`${links.roleId} = ${role.id}`
  // a few people are read by their keys and sorted; of many, the index of names soon meets some. Left to choose,
  // PostgreSQL reads thousands of names for a rare role
  const few = await isRare(links, role.id)
  // with a search the people found come first: `offset 0` keeps PostgreSQL from beginning with all holders
  const holds = (where: SQL | undefined) =>
    few
      ? sql`${users.id} = any(array${firstLinks(links, role.id, countedHolders)})`
      : sql`exists (select from ${links} where ${held} and ${links.userId} = ${users.id}${where ? sql` offset 0` : sql``})`
  const both = (where: SQL | undefined, searched = where) =>
    where ? sql`${holds(searched)} and (${where})` : holds(searched)
  const searched = query.filter.search ? sql`true` : undefined
  const counted = async (where: SQL | undefined, atMost = countedHolders) => {
    if (where) return countRows(users, both(where, searched), atMost)
    // so many links that counting people would take too long count as that many people
    const most = 2 * atMost
    const { rows } = await db().execute<{ count: number }>(sql`
      select (case when count(*) = ${most} then ${atMost} else least(count(distinct user_id), ${atMost}) end)::int as count
      from ${firstLinks(links, role.id, most)} link`)
    return rows[0]?.count ?? 0
  }
  return cursorPage(
    query,
    pageSize,
    {
      list: `holders ${role.id}`,
      caller,
      sorts: { name: users.fio },
      tie: users.id,
      filters: {
        search: (text) => found(text, [users.fio, known && users.login, known && users.email], { indexed: true }),
      },
      total: searched ? countedFound : countedHolders,
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({ id: users.id, name: users.fio, login: users.login, enabled: users.enabled, keys })
            .from(users)
            .$dynamic(),
          { ...parts, where: both(parts.where, searched) },
        ),
      count: counted,
    },
  )
}

type Named = Holder['places'][number]['organization']
type PlaceRow = { user_id: string; organization: Named; contractor: Named }

/** Returns where these people hold a role: one place more than a list shows, by their names in the reader's language. */
export async function selectPlaces(
  role: { id: string; roleType: string },
  userIds: string[],
  locale: string,
): Promise<PlaceRow[]> {
  const named = (table: SQL, nameEn: SQL) => sql`case when ${table}.id is not null then
    json_build_object('id', ${table}.id, 'name', ${table}.name, 'nameEn', ${nameEn}) end`
  const links =
    role.roleType === 'contractor'
      ? sql`select organization_id, contractor_id from ${userContractorRoles} where role_id = ${role.id} and user_id = p.id`
      : sql`select organization_id, null::uuid as contractor_id from ${userRoles} where role_id = ${role.id} and user_id = p.id`
  const { rows } = await db().execute<PlaceRow>(sql`
    select p.id as user_id, ${named(sql`o`, sql`o.name_en`)} as organization, ${named(sql`c`, sql`null::text`)} as contractor
    from unnest(${sql.param(userIds)}::uuid[]) p (id),
      lateral (${links} limit ${placesShown + 1}) link
      left join ${organizations} o on o.id = link.organization_id
      left join ${contractors} c on c.id = link.contractor_id
    order by c.name, ${localNameColumn({ name: sql`o.name`, nameEn: sql`o.name_en` }, locale)}, o.id`)
  return rows
}

/** Locks these people before a change of their roles; returns those whom there are, in the order of their ids. */
export const lockPeople = (tx: Transaction, ids: string[]) =>
  tx.select({ id: users.id }).from(users).where(inArray(users.id, ids)).orderBy(users.id).for('no key update')

/**
 * Locks and returns the organization and the contractor of a place; null if there is none. A change of either waits, so
 * no role is given in a place that is being closed.
 */
export async function selectPlace(tx: Transaction, { organizationId, contractorId }: Place) {
  const [contractor] = contractorId
    ? await tx.select({ id: contractors.id }).from(contractors).where(eq(contractors.id, contractorId)).for('share')
    : []
  const [organization] = organizationId
    ? await tx
        .select({ enabled: organizations.enabled })
        .from(organizations)
        .where(eq(organizations.id, organizationId))
        .for('share')
    : []
  return { organization: organization ?? null, contractor: contractor ?? null }
}

/** Returns whether the contractor's people may hold roles in the organization. */
export async function isAvailable(tx: Transaction, contractorId: string, organizationId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: contractorOrganizations.contractorId })
    .from(contractorOrganizations)
    .where(
      and(
        eq(contractorOrganizations.contractorId, contractorId),
        eq(contractorOrganizations.organizationId, organizationId),
      ),
    )
  return rows.length > 0
}

/** Returns those of these people who are in the contractor. */
export async function selectMembers(tx: Transaction, contractorId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ id: userContractors.userId })
    .from(userContractors)
    .where(and(eq(userContractors.contractorId, contractorId), inArray(userContractors.userId, ids)))
  return new Set(rows.map(({ id }) => id))
}

/** Gives a role to people in a place; returns whom it was new for. */
export async function insertHolders(
  tx: Transaction,
  roleId: string,
  ids: string[],
  place: Place,
): Promise<Set<string>> {
  const { organizationId, contractorId } = place
  const rows =
    contractorId && organizationId
      ? await tx
          .insert(userContractorRoles)
          .values(ids.map((userId) => ({ userId, roleId, organizationId, contractorId })))
          .onConflictDoNothing()
          .returning({ id: userContractorRoles.userId })
      : await tx
          .insert(userRoles)
          .values(ids.map((userId) => ({ userId, roleId, organizationId })))
          .onConflictDoNothing()
          .returning({ id: userRoles.userId })
  return new Set(rows.map(({ id }) => id))
}

/** Takes a role from a person in a place; returns whether they held it there. */
export async function deleteHolder(tx: Transaction, roleId: string, userId: string, place: Place): Promise<boolean> {
  const { organizationId, contractorId } = place
  const there = organizationId ? sql`organization_id = ${organizationId}` : sql`organization_id is null`
  const { rowCount } = contractorId
    ? await tx
        .delete(userContractorRoles)
        .where(
          and(
            eq(userContractorRoles.roleId, roleId),
            eq(userContractorRoles.userId, userId),
            eq(userContractorRoles.contractorId, contractorId),
            there,
          ),
        )
    : await tx.delete(userRoles).where(and(eq(userRoles.roleId, roleId), eq(userRoles.userId, userId), there))
  return (rowCount ?? 0) > 0
}

/** Returns every role of these people by person, as the history of a person names them. */
export async function selectRolesOf(tx: Run, ids: string[]) {
  const { rows } = await tx.execute<{
    id: string
    roles: string[]
    organizationRoles: { organizationId: string; roleId: string }[]
    contractorRoles: { contractorId: string; organizationId: string; roleId: string }[]
  }>(sql`
    select p.id,
      array(select role_id::text from ${userRoles} where user_id = p.id and organization_id is null order by role_id) as roles,
      coalesce((select json_agg(json_build_object('organizationId', organization_id, 'roleId', role_id)
          order by organization_id, role_id)
        from ${userRoles} where user_id = p.id and organization_id is not null), '[]') as "organizationRoles",
      coalesce((select json_agg(json_build_object('contractorId', contractor_id, 'organizationId', organization_id,
          'roleId', role_id) order by contractor_id, organization_id, role_id)
        from ${userContractorRoles} where user_id = p.id), '[]') as "contractorRoles"
    from unnest(${sql.param(ids)}::uuid[]) p (id)`)
  return new Map(rows.map(({ id, ...held }) => [id, held]))
}

/**
 * Returns enabled organizations or contractors that a search by name, in either language, or inn finds, 50 at most; sorted
 * by their names in the language of `locale`.
 */
export function selectRolePlaces(
  { kind, searchValue, contractorId }: ServiceInput<typeof searchRolePlaces>['query'],
  locale: string,
) {
  const ofContractors = kind === 'contractor'
  const table = ofContractors ? contractors : organizations
  const available = db()
    .select({ id: contractorOrganizations.organizationId })
    .from(contractorOrganizations)
    .where(eq(contractorOrganizations.contractorId, contractorId ?? ''))
  return chosen(
    db()
      .select({
        id: table.id,
        name: table.name,
        nameEn: ofContractors ? sql<string | null>`null::text` : organizations.nameEn,
        inn: table.inn,
      })
      .from(table)
      .$dynamic(),
    { searchValue },
    {
      id: table.id,
      called: (text) => found(text, [table.name, !ofContractors && organizations.nameEn, table.inn]),
      by: ofContractors ? contractors.name : localNameColumn(organizations, locale),
      among: and(eq(table.enabled, true), !ofContractors && contractorId ? inArray(table.id, available) : undefined),
    },
  )
}

/** Returns the account with a login (in lower case), and the only role with this code, id or name; null for neither. */
export async function selectGrant(login: string, named: string) {
  const [user] = await db()
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.login})`, login))
  const found = await db()
    .select({ id: roles.id, name: roles.name })
    .from(roles)
    .where(or(eq(roles.code, named), eq(sql`${roles.id}::text`, named.toLowerCase()), eq(roles.name, named)))
    .limit(2)
  return { userId: user?.id ?? null, role: found.length === 1 ? (found[0] ?? null) : null }
}
