import { and, asc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { type ManagedContractors, rolesInEffect } from '@/db/held-roles'
import { whereOf } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { isOpenInvitation } from '@/db/open-invitation'
import { isRefused } from '@/db/refused-contact'
import { invitations } from '@/db/schema/entry'
import { contractors, roles, userContractorRoles, userContractors, users } from '@/db/schema/people'
import { userPictures } from '@/db/schema/pictures'
import { found, isTooShort } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listContacts } from './contract'

type Connection = Database | Transaction

/** Up to how many rows of the list are counted. */
const maxCounted = 1_000
/** Up to how many rows that a search or a filter finds are counted. */
const maxCountedMatches = 100

/**
 * Whom a person sees: colleagues of which contractors, open invitations to which contractors, and which contacts of a
 * person.
 */
export type Visibility = {
  userId: string
  /** The enabled contractors that the person belongs to or manages. */
  contractors: 'all' | readonly string[]
  managed: ManagedContractors
  /** Whether the profile shows these fields. */
  email: boolean
  mobile: boolean
}

const anyOf = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`
const isEnabled = (contractorId: SQL) =>
  sql`exists (select from ${contractors} c where c.id = ${contractorId} and c.enabled)`

/** A condition: the contractor is one of those whose people are visible. */
export const isVisible = ({ contractors: visibleIds }: Visibility, contractorId: SQL): SQL =>
  visibleIds === 'all' ? isEnabled(contractorId) : sql`${contractorId} = ${anyOf(visibleIds)}`

/** Returns the enabled contractors that a person belongs to. */
export async function selectOwnContractorIds(userId: string): Promise<string[]> {
  const rows = await db()
    .select({ id: contractors.id })
    .from(userContractors)
    .innerJoin(contractors, and(eq(contractors.id, userContractors.contractorId), contractors.enabled))
    .where(eq(userContractors.userId, userId))
  return rows.map(({ id }) => id)
}

/**
 * A condition: the person belongs to one of the visible contractors; with `onlyContractor`, to that one, if it is
 * visible.
 */
const isColleague = (visibility: Visibility, userId: SQL, onlyContractor?: string) => sql`exists (
  select from ${userContractors} uc where uc.user_id = ${userId} and ${isVisible(visibility, sql`uc.contractor_id`)}
    ${onlyContractor ? sql`and uc.contractor_id = ${onlyContractor}` : sql``})`

/**
 * A condition: a role of the person for one of the visible contractors is in effect, which no role for a disabled one
 * is. Without `offset 0` PostgreSQL would first look up every role in effect.
 */
const hasRoleInEffect = (visibility: Visibility, userId: SQL) => sql`exists (
  select from ${rolesInEffect} held where held.user_id = ${userId} and held.contractor_id is not null
    ${visibility.contractors === 'all' ? sql`` : sql`and ${isVisible(visibility, sql`held.contractor_id`)}`} offset 0)`

/**
 * The columns that people and invitations share in the list. There is no such table: `peopleOf` and `invitationsOf` use
 * its name.
 */
const contact = pgTable('contact', {
  id: uuid().notNull(),
  name: text().notNull(),
  email: text(),
  enabled: boolean().notNull(),
  invited: boolean().notNull(),
})

/** The same condition where contractors may be disabled, which a later condition checks. */
const isVisibleOrDisabled = ({ contractors: visibleIds }: Visibility, contractorId: SQL) =>
  visibleIds === 'all' ? sql`true` : sql`${contractorId} = ${anyOf(visibleIds)}`

/**
 * The visible people. `ids`: only these. `whole`: all people that the filter leaves are found and then sorted, which is
 * best for a few; otherwise PostgreSQL reads people in the order of their names until the page is full.
 */
const peopleOf = (visibility: Visibility, { ids, whole }: ReadingPlan) => sql`(
  select u.id, u.fio as name, u.email, u.enabled, false as invited from ${users} u
  where u.id <> ${visibility.userId} ${ids ? sql`and u.id = ${anyOf(ids)}` : sql``}
    and ${isColleague(visibility, sql`u.id`)} ${whole ? sql`offset 0` : sql``})`

/**
 * The same people, read contractor by contractor for a person who doesn't see all. A person of two contractors occurs
 * twice.
 */
const membersOf = (visibility: Visibility) => sql`(
  select u.* from (select uc.user_id from ${userContractors} uc where ${isVisibleOrDisabled(visibility, sql`uc.contractor_id`)} offset 0) seen
  cross join lateral (select u.id, u.fio as name, u.email, u.enabled, false as invited from ${users} u
    where u.id = seen.user_id and u.id <> ${visibility.userId} offset 0) u)`

/** The open invitations to the enabled contractors that a person manages. */
const invitationsOf = ({ managed }: Visibility, now: Date) => sql`(
  select ${invitations.id}, ${invitations.email} as name, ${invitations.email}, false as enabled, true as invited from ${invitations}
  where ${isOpenInvitation(now)} and ${isEnabled(sql`${invitations.contractorId}`)}
    ${managed.all ? sql`` : sql`and ${invitations.contractorId} = ${anyOf(managed.ids)}`})`

/** The conditions of the filters. None of them reveals anything of a contractor that isn't visible. */
function filtersOf(visibility: Visibility, onlyContractor: string | undefined) {
  const [id, invited] = [sql`${contact.id}`, sql`${contact.invited}`]
  const invitation = (where: SQL) => sql`(${invited} and exists (
    select from ${invitations} i where i.id = ${id} and ${where}))`
  const status = {
    invitationSent: invited,
    active: sql`(not ${invited} and ${contact.enabled} and ${hasRoleInEffect(visibility, id)})`,
    inactive: sql`(not ${invited} and not (${contact.enabled} and ${hasRoleInEffect(visibility, id)}))`,
  }
  return {
    search: (typed: string) =>
      or(
        found(typed, [contact.name]),
        visibility.email
          ? and(found(typed, [contact.email]), sql`not ${isRefused(id, 'email', sql`${contact.email}`)}`)
          : undefined,
      ),
    contractorId: (contractorId: string) =>
      or(
        sql`(not ${invited} and ${isColleague(visibility, id, contractorId)})`,
        invitation(sql`i.contractor_id = ${contractorId}`),
      ),
    roleId: (roleId: string) =>
      or(
        sql`(not ${invited} and exists (select from ${userContractorRoles} r
          where r.user_id = ${id} and r.role_id = ${roleId} and ${isVisible(visibility, sql`r.contractor_id`)}
            ${onlyContractor ? sql`and r.contractor_id = ${onlyContractor}` : sql``}))`,
        invitation(
          sql`exists (select from invitation_roles ir where ir.invitation_id = i.id and ir.role_id = ${roleId})`,
        ),
      ),
    access: (list: (keyof typeof status)[]) => or(...list.map((state) => status[state])),
  }
}

/** How the people of the list are read. `many`: there are more than are counted. */
type ReadingPlan = { ids?: readonly string[]; whole: boolean; many?: boolean }

/**
 * `candidates`: up to how many people who may be inactive, or who belong to a contractor, are looked at one by one. `matches`: up to how many people
 * who match a text that no index finds. With more people a page is full soon (ADR 73).
 */
export const readWhole = { candidates: 2_000, matches: maxCountedMatches }

/**
 * Returns all visible people who may be inactive, and few others: people who are disabled, who hold no role for a
 * contractor, or who hold one that isn't in effect. Returns null if they are too many to look at each.
 */
async function selectMaybeInactive(visibility: Visibility): Promise<string[] | null> {
  const limit = readWhole.candidates + 1
  const [disabled] = (
    await db().execute<{ roles: string[]; places: string[] }>(sql`
      select array(select id from ${roles} where not enabled) as roles,
        array(select id from organizations where not enabled) as places`)
  ).rows
  const { rows } = await db().execute<{ id: string }>(sql`
    with disabled as materialized (select id from ${users} where not enabled)
    (select uc.user_id as id from ${userContractors} uc where ${isVisibleOrDisabled(visibility, sql`uc.contractor_id`)}
      and uc.roles_held = 0 limit ${limit})
    union all
    (select uc.user_id from disabled join ${userContractors} uc on uc.user_id = disabled.id
      where ${isVisibleOrDisabled(visibility, sql`uc.contractor_id`)} limit ${limit})
    union all
    (select r.user_id from ${userContractorRoles} r where ${isVisibleOrDisabled(visibility, sql`r.contractor_id`)}
      and (r.role_id = ${anyOf(disabled?.roles ?? [])} or r.organization_id = ${anyOf(disabled?.places ?? [])}) limit ${limit})`)
  const ids = [...new Set(rows.map(({ id }) => id))]
  return rows.length <= readWhole.candidates ? ids : null
}

/**
 * Returns the visible people whom a filter finds (null if they are many), and whether they are more than are counted.
 * It reads person by person, so that it stops early.
 */
async function selectMatches(visibility: Visibility, filter: Filter): Promise<{ ids: string[] | null; many: boolean }> {
  const limit = readWhole.matches + 1
  const where = whereOf(filter, filtersOf(visibility, filter.contractorId))
  const { rows } = await db().execute<{ id: string }>(sql`
    select contact.id from ${membersOf(visibility)} contact where ${where ?? sql`true`} limit ${limit}`)
  const ids = [...new Set(rows.map(({ id }) => id))]
  return { ids: rows.length < limit ? ids : null, many: ids.length > maxCountedMatches }
}

/** Returns the people of a contractor; null if they are too many to be read whole. */
async function selectFewMembers(contractorId: string): Promise<string[] | null> {
  const rows = await db()
    .select({ id: userContractors.userId })
    .from(userContractors)
    .where(eq(userContractors.contractorId, contractorId))
    .limit(readWhole.candidates + 1)
  return rows.length <= readWhole.candidates ? rows.map(({ id }) => id) : null
}

async function readingPlanFor(visibility: Visibility, filter: Filter): Promise<ReadingPlan> {
  const { access = [], search, contractorId } = filter
  const onlyInactive = access.includes('inactive') && !access.includes('active')
  const isShortSearch = search !== undefined && isTooShort(search) && visibility.contractors !== 'all'
  const { ids, many } = onlyInactive
    ? { ids: await selectMaybeInactive(visibility), many: false }
    : isShortSearch
      ? await selectMatches(visibility, filter)
      : { ids: contractorId ? await selectFewMembers(contractorId) : null, many: false }
  return ids ? { ids, whole: true } : { whole: false, many }
}
type Query = ServiceInput<typeof listContacts>['query']
type Filter = Query['filter']

/**
 * Returns one page of the contacts of a person: the id of each, and whether it is an invitation. People and invitations
 * are sorted and cut separately, each by their own index, before they are put together.
 */
export async function selectContactPage(
  visibility: Visibility,
  query: Query,
  { pageSize, now }: { pageSize: number | null; now: Date },
) {
  const plan = await readingPlanFor(visibility, query.filter)
  const sources = [peopleOf(visibility, plan), invitationsOf(visibility, now)]
  const unionOf = (branchOf: (source: SQL) => SQL, unionSources = sources) =>
    sql.join(unionSources.map(branchOf), sql` union all `)
  const total = Object.keys(query.filter).length > 0 ? maxCountedMatches : maxCounted
  // people who are read whole are counted with the first page
  const countsWithPage = plan.whole && query.after === undefined && query.before === undefined
  let totalFromPage: number | undefined
  return cursorPage(
    query,
    pageSize,
    {
      list: 'contacts',
      caller: visibility.userId,
      sorts: { name: contact.name },
      tie: contact.id,
      total,
      filters: filtersOf(visibility, query.filter.contractorId),
    },
    {
      rows: async ({ keys, where, orderBy, limit, offset }) => {
        const order = sql.join(orderBy, sql`, `)
        const branchLimit = countsWithPage ? sql`` : sql`order by ${order} limit ${limit + offset}`
        const { rows } = await db().execute<{ id: string; invited: boolean; keys: Keys; found: number | null }>(sql`
          with contact as materialized (${unionOf(
            (source) => sql`(select contact.id, contact.name, contact.invited, ${keys} as keys
              from ${source} contact where ${where ?? sql`true`} ${branchLimit})`,
          )})
          select id, invited, keys, ${countsWithPage ? sql`(select count(*) from contact)::int` : sql`null`} as found
          from contact order by ${order} limit ${limit} offset ${offset}`)
        if (countsWithPage) totalFromPage = rows[0]?.found ?? undefined
        return rows.map(({ found: _, ...row }) => row)
      },
      count: async (where, atMost = maxCounted) => {
        if (totalFromPage !== undefined) return Math.min(totalFromPage, atMost)
        // there are more people than are counted, even without invitations
        if (plan.many) return atMost
        const { rows } = await db().execute<{ count: number }>(sql`
          select least(count(*), ${atMost})::int as count from (${unionOf(
            (source) => sql`(select from ${source} contact where ${where ?? sql`true`} limit ${atMost})`,
            sources,
          )}) found`)
        return rows[0]?.count ?? 0
      },
    },
  )
}

/** Returns what is visible of these people, if they are colleagues. */
export async function selectPeople(visibility: Visibility, ids: readonly string[]) {
  const id = sql`${users.id}`
  const visibleContact = (kind: 'email' | 'mobile', value: SQL) =>
    visibility[kind]
      ? sql<string | null>`case when not ${isRefused(id, kind, value)} then ${value} end`
      : sql<null>`null`
  const rows = await db()
    .select({
      id: users.id,
      name: users.fio,
      email: visibleContact('email', sql`${users.email}`),
      mobile: visibleContact('mobile', sql`${users.mobile}`),
      picture: userPictures.id,
      active: sql<boolean>`(${users.enabled} and ${hasRoleInEffect(visibility, id)})`,
    })
    .from(users)
    .leftJoin(userPictures, eq(userPictures.userId, users.id))
    .where(and(inArray(users.id, [...ids]), ne(users.id, visibility.userId), isColleague(visibility, id)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the visible contractors that these people belong to, by name. */
export const selectContractorsOf = (visibility: Visibility, userIds: readonly string[], database: Connection = db()) =>
  database
    .select({
      userId: userContractors.userId,
      id: contractors.id,
      name: contractors.name,
      inn: contractors.inn,
      kpp: contractors.kpp,
      date: userContractors.createdAt,
    })
    .from(userContractors)
    .innerJoin(contractors, eq(contractors.id, userContractors.contractorId))
    .where(
      and(inArray(userContractors.userId, [...userIds]), isVisible(visibility, sql`${userContractors.contractorId}`)),
    )
    .orderBy(asc(contractors.name), asc(contractors.id))

/** Returns the roles that people hold for the visible contractors, up to 100, with names in a language. */
export const selectHeldRoles = (visibility: Visibility, locale: string) =>
  db()
    .selectDistinct({ id: roles.id, name: localNameColumn(roles, locale) })
    .from(roles)
    .where(
      visibility.contractors === 'all'
        ? and(eq(roles.roleType, 'contractor'), roles.enabled)
        : sql`${roles.id} in (select r.role_id from ${userContractorRoles} r
            where ${isVisible(visibility, sql`r.contractor_id`)})`,
    )
    .orderBy(asc(localNameColumn(roles, locale)), asc(roles.id))
    .limit(100)

/** Returns up to 101 of the visible contractors, by name. */
export const selectVisibleContractors = (visibility: Visibility, ids?: readonly string[]) =>
  db()
    .select({ id: contractors.id, name: contractors.name })
    .from(contractors)
    .where(and(isVisible(visibility, sql`${contractors.id}`), ids ? inArray(contractors.id, [...ids]) : undefined))
    .orderBy(asc(contractors.name), asc(contractors.id))
    .limit(101)
