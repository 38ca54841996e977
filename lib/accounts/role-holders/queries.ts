import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage } from '@/db/cursor'
import { chosen, countRows, type Parts, paged } from '@/db/list'
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

type Connection = Database | Transaction
export type RolePlace = { organizationId: string | null; contractorId: string | null }

/** Up to how many holders that a search finds are counted, and how many places of a person a list shows. */
const maxCountedMatches = 100
export const placesShown = 10

/** Contractor roles are in a table of their own. */
const linksOf = (roleType: string) => (roleType === 'contractor' ? userContractorRoles : userRoles)

/** Returns the type and the names of a role; undefined if there is none. */
export async function selectRoleOf(database: Connection, id: string) {
  const { roleType, code, name, nameEn } = roles
  const [row] = await database.select({ roleType, code, name, nameEn }).from(roles).where(eq(roles.id, id))
  return row
}

/**
 * Locks a role so that its methods can't change while it is given or taken. At the same time other transactions may
 * give it.
 */
export const shareRole = (tx: Transaction, id: string) =>
  tx.select({ id: roles.id }).from(roles).where(eq(roles.id, id)).for('key share')

/** The first links of a role in the order of its index, so that PostgreSQL reads only the index. */
const firstLinks = (links: typeof userRoles | typeof userContractorRoles, roleId: string, atMost: number) =>
  sql`(select user_id from ${links} where role_id = ${roleId} order by user_id limit ${atMost})`

/** Up to how many links of a role all its holders are read, and up to how many its links are. */
export const readWhole = { holders: countedHolders, links: 5_000 }

/** Returns the number of links of a role; of those that aren't read it counts one. */
async function countLinks(links: typeof userRoles | typeof userContractorRoles, roleId: string): Promise<number> {
  const { rows } = await db().execute<{ count: number }>(
    sql`select count(*)::int as count from ${firstLinks(links, roleId, readWhole.links + 1)} link`,
  )
  return rows[0]?.count ?? 0
}

/** Returns one page of the people who hold a role, by name. */
export const selectHolderPage = async (
  role: { id: string; roleType: string },
  query: ServiceInput<typeof listHolders>['query'],
  caller: string,
  pageSize: number | null,
  mayReadUsers: boolean,
) => {
  const links = linksOf(role.roleType)
  const isLinkOfRole = sql`${links.roleId} = ${role.id}`
  // the holders of a rare role are read by their keys and sorted; for a common role, the index of names soon meets
  // holders. If PostgreSQL had the choice, it would read thousands of names for a rare role
  const linkCount = await countLinks(links, role.id)
  const isRareRole = linkCount <= readWhole.holders
  // with a search, people are found before it is checked whether they hold the role: `offset 0` keeps PostgreSQL from
  // beginning with all holders. Without one, thousands of names are compared with a hash table of the holders; `is true`
  // keeps PostgreSQL from a join, which would sort all holders
  const holds = (where: SQL | undefined) => {
    if (isRareRole) return sql`${users.id} = any(array${firstLinks(links, role.id, readWhole.holders)})`
    if (where || linkCount > readWhole.links)
      return sql`exists (select from ${links} where ${isLinkOfRole} and ${links.userId} = ${users.id}${where ? sql` offset 0` : sql``})`
    return sql`(${users.id} in (select ${links.userId} from ${links} where ${isLinkOfRole})) is true`
  }
  const holdsAnd = (where: SQL | undefined, search = where) =>
    where ? sql`${holds(search)} and (${where})` : holds(search)
  const search = query.filter.search ? sql`true` : undefined
  const countHolders = async (where: SQL | undefined, atMost = countedHolders) => {
    if (where) return countRows(users, holdsAnd(where, search), atMost)
    // if there are so many links that counting people would take too long, the count is `atMost`
    const maxLinks = 2 * atMost
    const { rows } = await db().execute<{ count: number }>(sql`
      select (case when count(*) = ${maxLinks} then ${atMost} else least(count(distinct user_id), ${atMost}) end)::int as count
      from ${firstLinks(links, role.id, maxLinks)} link`)
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
        search: (text) =>
          found(text, [users.fio, mayReadUsers && users.login, mayReadUsers && users.email], { indexed: true }),
      },
      total: search ? maxCountedMatches : countedHolders,
    },
    {
      rows: ({ keys, ...rangeParts }) => {
        const parts = { ...rangeParts, where: holdsAnd(rangeParts.where, search) }
        const page = (pageParts: Parts) =>
          paged(
            db()
              .select({ id: users.id, name: users.fio, login: users.login, enabled: users.enabled, keys })
              .from(users)
              .$dynamic(),
            pageParts,
          )
        if (isRareRole || search) return page(parts)
        // only the index of names is read until a page is full
        const ids = paged(db().select({ id: users.id }).from(users).$dynamic(), parts)
        return page({ ...parts, where: inArray(users.id, ids), offset: 0 })
      },
      count: countHolders,
    },
  )
}

type NamedPlace = Holder['places'][number]['organization']
type PlaceRow = { user_id: string; organization: NamedPlace; contractor: NamedPlace }

/**
 * Returns the places in which these people hold a role, for each person up to one more than a list shows, sorted by
 * their names in the reader's language.
 */
export async function selectPlaces(
  role: { id: string; roleType: string },
  userIds: string[],
  locale: string,
): Promise<PlaceRow[]> {
  const nameJson = (table: SQL, nameEn: SQL) => sql`case when ${table}.id is not null then
    json_build_object('id', ${table}.id, 'name', ${table}.name, 'nameEn', ${nameEn}) end`
  const links =
    role.roleType === 'contractor'
      ? sql`select organization_id, contractor_id from ${userContractorRoles} where role_id = ${role.id} and user_id = p.id`
      : sql`select organization_id, null::uuid as contractor_id from ${userRoles} where role_id = ${role.id} and user_id = p.id`
  const { rows } = await db().execute<PlaceRow>(sql`
    select p.id as user_id, ${nameJson(sql`o`, sql`o.name_en`)} as organization, ${nameJson(sql`c`, sql`null::text`)} as contractor
    from unnest(${sql.param(userIds)}::uuid[]) p (id),
      lateral (${links} limit ${placesShown + 1}) link
      left join ${organizations} o on o.id = link.organization_id
      left join ${contractors} c on c.id = link.contractor_id
    order by c.name, ${localNameColumn({ name: sql`o.name`, nameEn: sql`o.name_en` }, locale)}, o.id`)
  return rows
}

/** Locks these people before a change of their roles, in the order of their ids. Returns those that exist. */
export const lockPeople = (tx: Transaction, ids: string[]) =>
  tx.select({ id: users.id }).from(users).where(inArray(users.id, ids)).orderBy(users.id).for('no key update')

/**
 * Locks and returns the organization and the contractor of a place; null for one that there isn't. A change of either
 * waits, so that nobody gets a role in a place that is being disabled.
 */
export async function selectPlace(tx: Transaction, { organizationId, contractorId }: RolePlace) {
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

/** Gives a role to people in a place. Returns the ids of those who didn't hold it there. */
export async function insertHolders(
  tx: Transaction,
  roleId: string,
  ids: string[],
  place: RolePlace,
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
export async function deleteHolder(
  tx: Transaction,
  roleId: string,
  userId: string,
  place: RolePlace,
): Promise<boolean> {
  const { organizationId, contractorId } = place
  const isInPlace = organizationId ? sql`organization_id = ${organizationId}` : sql`organization_id is null`
  const { rowCount } = contractorId
    ? await tx
        .delete(userContractorRoles)
        .where(
          and(
            eq(userContractorRoles.roleId, roleId),
            eq(userContractorRoles.userId, userId),
            eq(userContractorRoles.contractorId, contractorId),
            isInPlace,
          ),
        )
    : await tx.delete(userRoles).where(and(eq(userRoles.roleId, roleId), eq(userRoles.userId, userId), isInPlace))
  return (rowCount ?? 0) > 0
}

/** Returns every role of these people, by person, in the form of their audit events. */
export async function selectRolesOf(tx: Connection, ids: string[]) {
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
  return new Map(rows.map(({ id, ...heldRoles }) => [id, heldRoles]))
}

/**
 * Returns enabled organizations or contractors that a search by name, in either language, or inn finds, 50 at most;
 * sorted by their names in the language of `locale`.
 */
export function selectRolePlaces(
  { kind, searchValue, contractorId }: ServiceInput<typeof searchRolePlaces>['query'],
  locale: string,
) {
  const isContractor = kind === 'contractor'
  const table = isContractor ? contractors : organizations
  const available = db()
    .select({ id: contractorOrganizations.organizationId })
    .from(contractorOrganizations)
    .where(eq(contractorOrganizations.contractorId, contractorId ?? ''))
  return chosen(
    db()
      .select({
        id: table.id,
        name: table.name,
        nameEn: isContractor ? sql<string | null>`null::text` : organizations.nameEn,
        inn: table.inn,
      })
      .from(table)
      .$dynamic(),
    { searchValue },
    {
      id: table.id,
      called: (text) => found(text, [table.name, !isContractor && organizations.nameEn, table.inn]),
      by: isContractor ? contractors.name : localNameColumn(organizations, locale),
      among: and(eq(table.enabled, true), !isContractor && contractorId ? inArray(table.id, available) : undefined),
    },
  )
}

/**
 * Returns the id of the account with a login (in lower case), and the only role with this code, id or name. Each is
 * null if there is none.
 */
export async function selectUserAndRole(login: string, roleKey: string) {
  const [user] = await db()
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.login})`, login))
  const matchingRoles = await db()
    .select({ id: roles.id, name: roles.name })
    .from(roles)
    .where(or(eq(roles.code, roleKey), eq(sql`${roles.id}::text`, roleKey.toLowerCase()), eq(roles.name, roleKey)))
    .limit(2)
  return { userId: user?.id ?? null, role: matchingRoles.length === 1 ? (matchingRoles[0] ?? null) : null }
}
