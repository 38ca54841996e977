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

type Run = Database | Transaction

/** How many rows of the list are counted. */
const countedAtMost = 1_000
/** How many rows are counted that a search or a filter finds. */
const countedFound = 100

/** Whom somebody sees: the people of which contractors, the open invitations to which, and which contacts of a person. */
export type Sight = {
  userId: string
  /** The enabled contractors that they belong to or manage. */
  contractors: 'all' | readonly string[]
  managed: ManagedContractors
  /** Whether the profile shows these fields. */
  email: boolean
  mobile: boolean
}

const among = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`
const isEnabled = (contractorId: SQL) =>
  sql`exists (select from ${contractors} c where c.id = ${contractorId} and c.enabled)`

/** A condition: the contractor is one of those whose people somebody sees. */
export const inSight = ({ contractors: seen }: Sight, contractorId: SQL): SQL =>
  seen === 'all' ? isEnabled(contractorId) : sql`${contractorId} = ${among(seen)}`

/** Returns the enabled contractors that a person belongs to. */
export async function selectOwnContractorIds(userId: string): Promise<string[]> {
  const rows = await db()
    .select({ id: contractors.id })
    .from(userContractors)
    .innerJoin(contractors, and(eq(contractors.id, userContractors.contractorId), contractors.enabled))
    .where(eq(userContractors.userId, userId))
  return rows.map(({ id }) => id)
}

/** A condition: the person belongs to one of the contractors in sight; with `only`, to that one, if it is in sight. */
const isColleague = (sight: Sight, userId: SQL, only?: string) => sql`exists (
  select from ${userContractors} uc where uc.user_id = ${userId} and ${inSight(sight, sql`uc.contractor_id`)}
    ${only ? sql`and uc.contractor_id = ${only}` : sql``})`

/**
 * A condition: a role of the person for one of the contractors in sight is in effect, which no disabled one's is. Without
 * `offset 0` PostgreSQL would first look up every role in effect.
 */
const worksThere = (sight: Sight, userId: SQL) => sql`exists (
  select from ${rolesInEffect} held where held.user_id = ${userId} and held.contractor_id is not null
    ${sight.contractors === 'all' ? sql`` : sql`and ${inSight(sight, sql`held.contractor_id`)}`} offset 0)`

/** What people and invitations have in common in the list. It is no table: `peopleOf` and `invitedOf` take its name. */
const contact = pgTable('contact', {
  id: uuid().notNull(),
  name: text().notNull(),
  email: text(),
  enabled: boolean().notNull(),
  invited: boolean().notNull(),
})

/** The same of companies that may be disabled, where this is looked at later. */
const seenIn = ({ contractors: seen }: Sight, contractorId: SQL) =>
  seen === 'all' ? sql`true` : sql`${contractorId} = ${among(seen)}`

/**
 * The people in sight. `ids`: only these. `whole`: all that a filter leaves are found and then sorted, as is best if few
 * are in sight; otherwise PostgreSQL reads people in the order of their names until the page is full.
 */
const peopleOf = (sight: Sight, { ids, whole }: Reading) => sql`(
  select u.id, u.fio as name, u.email, u.enabled, false as invited from ${users} u
  where u.id <> ${sight.userId} ${ids ? sql`and u.id = ${among(ids)}` : sql``}
    and ${isColleague(sight, sql`u.id`)} ${whole ? sql`offset 0` : sql``})`

/** The same people read one after another from the companies of somebody who doesn't see all; who is in two stands in it twice. */
const membersOf = (sight: Sight) => sql`(
  select u.* from (select uc.user_id from ${userContractors} uc where ${seenIn(sight, sql`uc.contractor_id`)} offset 0) seen
  cross join lateral (select u.id, u.fio as name, u.email, u.enabled, false as invited from ${users} u
    where u.id = seen.user_id and u.id <> ${sight.userId} offset 0) u)`

/** The open invitations to enabled contractors that somebody manages. */
const invitationsOf = ({ managed }: Sight, now: Date) => sql`(
  select ${invitations.id}, ${invitations.email} as name, ${invitations.email}, false as enabled, true as invited from ${invitations}
  where ${isOpenInvitation(now)} and ${isEnabled(sql`${invitations.contractorId}`)}
    ${managed.all ? sql`` : sql`and ${invitations.contractorId} = ${among(managed.ids)}`})`

/** The conditions of the filters. None of them tells anything of a contractor that isn't in sight. */
function filtersOf(sight: Sight, onlyOf: string | undefined) {
  const [id, invited] = [sql`${contact.id}`, sql`${contact.invited}`]
  const invitation = (where: SQL) => sql`(${invited} and exists (
    select from ${invitations} i where i.id = ${id} and ${where}))`
  const status = {
    invitationSent: invited,
    active: sql`(not ${invited} and ${contact.enabled} and ${worksThere(sight, id)})`,
    inactive: sql`(not ${invited} and not (${contact.enabled} and ${worksThere(sight, id)}))`,
  }
  return {
    search: (typed: string) =>
      or(
        found(typed, [contact.name]),
        sight.email
          ? and(found(typed, [contact.email]), sql`not ${isRefused(id, 'email', sql`${contact.email}`)}`)
          : undefined,
      ),
    contractorId: (contractorId: string) =>
      or(
        sql`(not ${invited} and ${isColleague(sight, id, contractorId)})`,
        invitation(sql`i.contractor_id = ${contractorId}`),
      ),
    roleId: (roleId: string) =>
      or(
        sql`(not ${invited} and exists (select from ${userContractorRoles} r
          where r.user_id = ${id} and r.role_id = ${roleId} and ${inSight(sight, sql`r.contractor_id`)}
            ${onlyOf ? sql`and r.contractor_id = ${onlyOf}` : sql``}))`,
        invitation(
          sql`exists (select from invitation_roles ir where ir.invitation_id = i.id and ir.role_id = ${roleId})`,
        ),
      ),
    access: (list: (keyof typeof status)[]) => or(...list.map((one) => status[one])),
  }
}

/** How the people of the list are read. */
type Reading = { ids?: readonly string[]; whole: boolean; many?: boolean }

/**
 * Up to how many people who may be inactive are looked at one by one, and up to how many who match a text that no index
 * finds. Of more people a page is full soon (ADR 73).
 */
export const readWhole = { candidates: 2_000, matches: countedFound }

/**
 * Returns everybody in sight who may be inactive, and few others: who is disabled, who holds no role for a contractor,
 * and who holds one that isn't in effect. Null if there are too many to look at each.
 */
async function selectMaybeInactive(sight: Sight): Promise<string[] | null> {
  const limit = readWhole.candidates + 1
  const [off] = (
    await db().execute<{ roles: string[]; places: string[] }>(sql`
      select array(select id from ${roles} where not enabled) as roles,
        array(select id from organizations where not enabled) as places`)
  ).rows
  const { rows } = await db().execute<{ id: string }>(sql`
    with disabled as materialized (select id from ${users} where not enabled)
    (select uc.user_id as id from ${userContractors} uc where ${seenIn(sight, sql`uc.contractor_id`)}
      and uc.roles_held = 0 limit ${limit})
    union all
    (select uc.user_id from disabled join ${userContractors} uc on uc.user_id = disabled.id
      where ${seenIn(sight, sql`uc.contractor_id`)} limit ${limit})
    union all
    (select r.user_id from ${userContractorRoles} r where ${seenIn(sight, sql`r.contractor_id`)}
      and (r.role_id = ${among(off?.roles ?? [])} or r.organization_id = ${among(off?.places ?? [])}) limit ${limit})`)
  const ids = [...new Set(rows.map(({ id }) => id))]
  return rows.length <= readWhole.candidates ? ids : null
}

/**
 * Returns the people in sight whom a filter finds, no ids if there are many, and whether they are more than are counted.
 * It reads person by person, so that it stops early.
 */
async function selectMatches(sight: Sight, filter: Filter): Promise<{ ids: string[] | null; many: boolean }> {
  const limit = readWhole.matches + 1
  const where = whereOf(filter, filtersOf(sight, filter.contractorId))
  const { rows } = await db().execute<{ id: string }>(sql`
    select contact.id from ${membersOf(sight)} contact where ${where ?? sql`true`} limit ${limit}`)
  const ids = [...new Set(rows.map(({ id }) => id))]
  return { ids: rows.length < limit ? ids : null, many: ids.length > countedFound }
}

async function readingFor(sight: Sight, filter: Filter): Promise<Reading> {
  const { access = [], search } = filter
  const inactive = access.includes('inactive') && !access.includes('active')
  const short = search !== undefined && isTooShort(search) && sight.contractors !== 'all'
  const { ids, many } = inactive
    ? { ids: await selectMaybeInactive(sight), many: false }
    : short
      ? await selectMatches(sight, filter)
      : { ids: null, many: false }
  return ids ? { ids, whole: true } : { whole: false, many }
}
type Query = ServiceInput<typeof listContacts>['query']
type Filter = Query['filter']

/**
 * Returns one page of the contacts of somebody: whether each is an invitation, and its id. People and invitations are
 * sorted and cut each by their own index before they are put together.
 */
export async function selectContactPage(
  sight: Sight,
  query: Query,
  { pageSize, now }: { pageSize: number | null; now: Date },
) {
  const reading = await readingFor(sight, query.filter)
  const sources = [peopleOf(sight, reading), invitationsOf(sight, now)]
  const together = (branchOf: (source: SQL) => SQL, from = sources) => sql.join(from.map(branchOf), sql` union all `)
  const total = Object.keys(query.filter).length > 0 ? countedFound : countedAtMost
  // what is read whole is counted with its first page
  const atOnce = reading.whole && query.after === undefined && query.before === undefined
  let counted: number | undefined
  return cursorPage(
    query,
    pageSize,
    {
      list: 'contacts',
      caller: sight.userId,
      sorts: { name: contact.name },
      tie: contact.id,
      total,
      filters: filtersOf(sight, query.filter.contractorId),
    },
    {
      rows: async ({ keys, where, orderBy, limit, offset }) => {
        const order = sql.join(orderBy, sql`, `)
        const cut = atOnce ? sql`` : sql`order by ${order} limit ${limit + offset}`
        const { rows } = await db().execute<{ id: string; invited: boolean; keys: Keys; found: number | null }>(sql`
          with contact as materialized (${together(
            (source) => sql`(select contact.id, contact.name, contact.invited, ${keys} as keys
              from ${source} contact where ${where ?? sql`true`} ${cut})`,
          )})
          select id, invited, keys, ${atOnce ? sql`(select count(*) from contact)::int` : sql`null`} as found
          from contact order by ${order} limit ${limit} offset ${offset}`)
        if (atOnce) counted = rows[0]?.found ?? undefined
        return rows.map(({ found: _, ...row }) => row)
      },
      count: async (where, atMost = countedAtMost) => {
        if (counted !== undefined) return Math.min(counted, atMost)
        // people alone are more than are counted
        if (reading.many) return atMost
        const { rows } = await db().execute<{ count: number }>(sql`
          select least(count(*), ${atMost})::int as count from (${together(
            (source) => sql`(select from ${source} contact where ${where ?? sql`true`} limit ${atMost})`,
            sources,
          )}) found`)
        return rows[0]?.count ?? 0
      },
    },
  )
}

/** Returns what somebody sees of these people, who are colleagues of theirs. */
export async function selectPeople(sight: Sight, ids: readonly string[]) {
  const id = sql`${users.id}`
  const shown = (kind: 'email' | 'mobile', value: SQL) =>
    sight[kind] ? sql<string | null>`case when not ${isRefused(id, kind, value)} then ${value} end` : sql<null>`null`
  const rows = await db()
    .select({
      id: users.id,
      name: users.fio,
      email: shown('email', sql`${users.email}`),
      mobile: shown('mobile', sql`${users.mobile}`),
      picture: userPictures.id,
      active: sql<boolean>`(${users.enabled} and ${worksThere(sight, id)})`,
    })
    .from(users)
    .leftJoin(userPictures, eq(userPictures.userId, users.id))
    .where(and(inArray(users.id, [...ids]), ne(users.id, sight.userId), isColleague(sight, id)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the contractors in sight that these people belong to, by name. */
export const selectContractorsOf = (sight: Sight, userIds: readonly string[], run: Run = db()) =>
  run
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
    .where(and(inArray(userContractors.userId, [...userIds]), inSight(sight, sql`${userContractors.contractorId}`)))
    .orderBy(asc(contractors.name), asc(contractors.id))

/** Returns the roles that people hold for the contractors in sight, up to 100, with names in a language. */
export const selectHeldRoles = (sight: Sight, locale: string) =>
  db()
    .selectDistinct({ id: roles.id, name: localNameColumn(roles, locale) })
    .from(roles)
    .where(
      sight.contractors === 'all'
        ? and(eq(roles.roleType, 'contractor'), roles.enabled)
        : sql`${roles.id} in (select r.role_id from ${userContractorRoles} r
            where ${inSight(sight, sql`r.contractor_id`)})`,
    )
    .orderBy(asc(localNameColumn(roles, locale)), asc(roles.id))
    .limit(100)

/** Returns up to 101 of the contractors in sight, by name. */
export const selectSeenContractors = (sight: Sight, ids?: readonly string[]) =>
  db()
    .select({ id: contractors.id, name: contractors.name })
    .from(contractors)
    .where(and(inSight(sight, sql`${contractors.id}`), ids ? inArray(contractors.id, [...ids]) : undefined))
    .orderBy(asc(contractors.name), asc(contractors.id))
    .limit(101)
