import { and, asc, eq, getTableColumns, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { db } from '@/db/client'
import { type CursorRules, cursorPage, type Keys } from '@/db/cursor'
import { containing, countRows, type Parts, paged, whereOf } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { sessions } from '@/db/schema/entry'
import {
  contractors,
  organizations,
  providers,
  roles,
  userContractorRoles,
  userContractors,
  userRoles,
  users,
} from '@/db/schema/people'
import { applications, authenticationSchemas } from '@/db/schema/platform'
import { providerLinks } from '@/db/schema/providers'
import { found, hasOtherSpelling } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { searchWords } from '@/lib/base/lists/search-form'
import type { RequiredCodes } from '../user-table/fields'
import type { listUsers } from './contract'

type ListInput = ServiceInput<typeof listUsers>['query']

/** Above it the list says "more than": of all accounts, and of those that a search or a filter finds. */
const countedAtMost = 10_000
/**
 * What a search or a filter finds is read whole up to so many accounts, which are found once for the page and for its
 * count. Up to so many links to a role and so on are known before the accounts; of more a page is full soon.
 */
export const readWhole = { atMost: 2_000, links: 20_000 }

const columns = {
  id: users.id,
  name: users.fio,
  login: users.login,
  email: users.email,
  mobile: users.mobile,
  enabled: users.enabled,
  providerId: users.providerId,
  externalId: users.externalId,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
  hasPassword: sql<boolean>`${users.passwordHash} is not null`.as('has_password'),
  lastSeenAt: sql<string | null>`(select max(s.last_access_at) from ${sessions} s where s.user_id = ${users}.id)`.as(
    'last_seen_at',
  ),
  providerName: sql<string | null>`(select p.name from ${providers} p where p.id = ${users}.provider_id)`.as(
    'provider_name',
  ),
}

/** A number as people type one of a telephone. */
const isNumber = (text: string) => /^\+?[\d\s()-]+$/.test(text)

/**
 * The part of a text by which an index finds the rarest rows: words with digits, because numbers share their beginnings
 * (`emp-000123`), otherwise what stands before the @ of an address, whose domain many share. The signs beside a short word
 * belong to it: they make it rarer, while a long one is rare by itself, and its first letters are many others' too. Null
 * if it is the whole.
 */
export function rarePart(text: string): string | null {
  if (isNumber(text)) return null
  const numbers = text.match(/[\p{L}\d]*\d[\p{L}\d]*/gu) ?? []
  const longest = numbers.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const at = text.indexOf('@')
  const word = longest.length >= 3 ? longest : at >= 3 ? text.slice(0, at) : ''
  if (word === '') return null
  const begin = text.indexOf(word)
  const beside = word === longest && word.length >= 5 ? 0 : 1
  const part = text.slice(Math.max(0, begin - beside), begin + word.length + beside)
  return part === text ? null : part
}

/**
 * The words of the text anywhere in what an account is called; an index finds them by their rarest parts. A number may be
 * typed with spaces, brackets and hyphens.
 */
function matching(text: string): SQL | undefined {
  const digits = isNumber(text) ? text.replace(/\D/g, '').replace(/^8(?=\d{10}$)/, '7') : ''
  const has = (words: string, number: string, of: (column: SQL) => SQL) =>
    or(
      found(words, [users.fio, users.login, users.email, users.externalId], { indexed: true, of }),
      number.length >= 3 ? sql`${of(sql`${users.mobile}`)} like ${containing(number)}` : undefined,
    )
  const words = searchWords(text)
  const parts = words.map((word) => (hasOtherSpelling(text) ? word : (rarePart(word) ?? word)))
  const end = digits.length > 7 ? digits.slice(-5) : digits
  const sought = parts.every((part, n) => part === words[n]) ? text : parts.join(' ')
  if (sought === text && end === digits) return has(text, digits, (column) => column)
  // an expression isn't looked up in an index, whose lists of frequent parts take longer to read than the rows
  return and(
    has(sought, end, (column) => column),
    has(text, digits, (column) => sql`(${column} || '')`),
  )
}

/** A link of people to something: the tables, and the column that names what they are linked to. */
type Link = { tables: PgTable[]; column: string }
const links = {
  roleId: { tables: [userRoles, userContractorRoles], column: 'role_id' },
  organizationId: { tables: [userRoles, userContractorRoles], column: 'organization_id' },
  contractorId: { tables: [userContractors], column: 'contractor_id' },
} satisfies Partial<Record<keyof ListInput['filter'], Link>>
type LinkName = keyof typeof links

const linkedTo = ({ tables, column }: Link, id: string, and = sql``) =>
  tables.map((table) => sql`(select l.user_id from ${table} l where l.${sql.identifier(column)} = ${id} ${and})`)

/** The links that a filter asks for: of which there are too many to read first, and which of the others many people have. */
type Linked = { common: LinkName[]; many: LinkName[] }

async function selectLinked(filter: ListInput['filter']): Promise<Linked> {
  const asked = (Object.keys(links) as LinkName[]).filter((name) => filter[name])
  const found = await Promise.all(
    asked.map(async (name) => {
      const some = (atMost: number) =>
        sql`(${sql.join(linkedTo(links[name], filter[name] ?? '', sql`limit ${atMost}`), sql` union all `)}) l`
      // telling people apart takes longer than counting links, and a few of each are enough
      const { rows } = await db().execute<{ common: boolean; many: boolean }>(
        sql`select (select count(*) > ${readWhole.links} from ${some(readWhole.links + 1)}) as common,
          (select count(distinct user_id) > ${readWhole.atMost} from ${some(2 * readWhole.atMost + 1)}) as many`,
      )
      return { name, ...rows[0] }
    }),
  )
  const those = (what: 'common' | 'many') => found.filter((each) => each[what]).map(({ name }) => name)
  return { common: those('common'), many: those('many') }
}

/**
 * Whether an account has such a link. If few have it, they are found first. If many, accounts are looked at in their turn,
 * because a page is full soon: in a table of those who have it, which PostgreSQL makes of a list for each kind of link,
 * or, if that would be large, each by itself. Without `offset 0` it would read all links first then.
 */
function linked(name: LinkName, id: string, { common, many }: Linked) {
  const any = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`
  if (common.includes(name))
    return any(
      linkedTo(links[name], id, sql`and l.user_id = ${users}.id offset 0`).map((select) => sql`exists ${select}`),
    )
  if (many.includes(name)) return any(linkedTo(links[name], id).map((select) => sql`${users}.id in ${select}`))
  return sql`${users}.id in (${sql.join(linkedTo(links[name], id), sql` union all `)})`
}

type About = { id: string; now: Date; required: RequiredCodes | null }

/** Whether an account has nothing under a code: neither nothing, nor an empty text or list. */
const isNothing = (code: string) => sql`coalesce(${users.values} ->> ${code}, '') in ('', '[]')`
/** Whether it says something of an action there; a toggle that is off doesn't. */
const says = (code: string) => sql`coalesce(${users.values} ->> ${code}, '') not in ('', '[]', 'false')`

/** Whether one of the required fields is empty. */
function lacking({ columns, dynamic, actions }: RequiredCodes): SQL {
  const own = getTableColumns(users)
  const empty = [
    ...columns.map((code) => sql`coalesce(${own[code as 'login']}::text, '') = ''`),
    ...dynamic.map(isNothing),
    ...actions.map(({ code, block }) => sql`(${isNothing(code)} and (${sql.join(block.map(says), sql` or `)}))`),
  ]
  return empty.length > 0 ? sql`(${sql.join(empty, sql` or `)})` : sql`false`
}

type Filters = CursorRules<ListInput['filter'], ListInput['sortBy']>['filters']

const filtersOf = (about: About, found: Linked): Filters => ({
  search: matching,
  enabled: (wanted) => eq(users.enabled, wanted),
  roleId: (id) => linked('roleId', id, found),
  organizationId: (id) => linked('organizationId', id, found),
  contractorId: (id) => linked('contractorId', id, found),
  providerId: (id) => eq(users.providerId, id),
  unseenDays: (days) =>
    sql`not exists (select from ${sessions} s where s.user_id = ${users}.id
            and s.last_access_at >= ${about.now}::timestamptz - make_interval(days => ${days}))`,
  incomplete: (wanted) => {
    const found = lacking(about.required ?? { columns: [], dynamic: [], actions: [] })
    return wanted ? found : sql`not ${found}`
  },
})

const rulesOf = (about: About, filters: Filters, total: number | 'none') =>
  ({
    list: 'users',
    caller: about.id,
    sorts: { name: users.fio, createdAt: users.createdAt },
    tie: users.id,
    total,
    filters,
  }) satisfies CursorRules<ListInput['filter'], ListInput['sortBy']>

/** Returns the ids of the accounts that a filter finds; null if there are more than are read whole. */
async function selectFew(where: SQL): Promise<string[] | null> {
  const found = await db()
    .select({ id: users.id })
    .from(users)
    .where(where)
    .limit(readWhole.atMost + 1)
  return found.length <= readWhole.atMost ? found.map(({ id }) => id) : null
}

const counts = (where: SQL | undefined, atMost?: number) => countRows(users, where, atMost)

/** Returns one page of accounts. */
export async function selectUserPage(query: ListInput, about: About, pageSize: number | null) {
  const found = await selectLinked(query.filter)
  const filters = filtersOf(about, found)
  const where = whereOf(query.filter, filters)
  const asked = Object.values(query.filter).filter((value) => value !== undefined)
  const isMany = asked.length === 1 && found.many.length === 1
  const few = where && !isMany ? await selectFew(where) : null
  const isFew = few && (() => (few.length > 0 ? sql`${users}.id = any(${sql.param(few)}::uuid[])` : sql`false`))
  const read = isFew
    ? (Object.fromEntries(Object.keys(filters).map((name) => [name, isFew])) as unknown as Filters)
    : filters
  return cursorPage(query, pageSize, rulesOf(about, read, where ? readWhole.atMost : countedAtMost), {
    rows: ({ keys, ...parts }) => {
      const page = (those: Parts) =>
        paged(
          db()
            .select({ ...columns, keys: sql<Keys>`${keys}`.as('keys') })
            .from(users)
            .$dynamic(),
          those,
        )
      if (!where || few) return page(parts)
      // the ids come from the index of the order alone: thousands of accounts may be passed over for a page
      const ids = paged(db().select({ id: users.id }).from(users).$dynamic(), parts)
      return page({ ...parts, where: inArray(users.id, ids), offset: 0 })
    },
    // `only` asks for one account
    count: async (of, atMost) => (where && !query.only ? (few?.length ?? readWhole.atMost + 1) : counts(of, atMost)),
  })
}

/** Returns one page of accounts with their fields, for an export, which counts nothing. */
export async function selectUsersToExport(query: ListInput, about: About) {
  const filters = filtersOf(about, await selectLinked(query.filter))
  const { fio, lastName, firstName, middleName, birthDate, gender, locale, comment, values } = getTableColumns(users)
  const fields = { fio, lastName, firstName, middleName, birthDate, gender, locale, comment, values }
  return cursorPage(query, null, rulesOf(about, filters, 'none'), {
    rows: ({ keys, ...parts }) =>
      paged(
        db()
          .select({ ...columns, ...fields, keys: sql<Keys>`${keys}`.as('keys') })
          .from(users)
          .$dynamic(),
        parts,
      ),
    count: counts,
  })
}

/** Returns an account; undefined if there is none. */
export async function selectUser(userId: string, locale: string) {
  const { lastName, firstName, middleName, isEditable, emailVerifiedAt, mobileVerifiedAt } = getTableColumns(users)
  const { birthDate, gender, locale: language, comment, values, passwordChangedAt } = getTableColumns(users)
  const more = {
    ...{ lastName, firstName, middleName, isEditable, emailVerifiedAt, mobileVerifiedAt, birthDate, gender, comment },
    ...{ locale: language, values, passwordChangedAt, authenticationSchemaId: users.authenticationSchemaId },
    schemaName: localNameColumn(authenticationSchemas, locale).as('schema_name'),
  }
  const [row] = await db()
    .select({ ...columns, ...more })
    .from(users)
    .leftJoin(authenticationSchemas, eq(authenticationSchemas.id, users.authenticationSchemaId))
    .where(eq(users.id, userId))
  return row
}

/** Returns the roles of a person with their places, and names in a language; so many at most. */
export async function selectHeldRoles(userId: string, locale: string, atMost: number) {
  const role = { id: roles.id, name: localNameColumn(roles, locale), enabled: roles.enabled }
  const organization = {
    organizationId: organizations.id,
    organization: localNameColumn(organizations, locale),
    organizationEnabled: organizations.enabled,
  }
  const [own, forContractors] = await Promise.all([
    db()
      .select({ ...role, ...organization })
      .from(userRoles)
      .innerJoin(roles, eq(roles.id, userRoles.roleId))
      .leftJoin(organizations, eq(organizations.id, userRoles.organizationId))
      .where(eq(userRoles.userId, userId))
      .orderBy(asc(localNameColumn(roles, locale)), asc(roles.id))
      .limit(atMost),
    db()
      .select({
        ...role,
        ...organization,
        contractorId: contractors.id,
        contractor: contractors.name,
        contractorEnabled: contractors.enabled,
      })
      .from(userContractorRoles)
      .innerJoin(roles, eq(roles.id, userContractorRoles.roleId))
      .innerJoin(organizations, eq(organizations.id, userContractorRoles.organizationId))
      .innerJoin(contractors, eq(contractors.id, userContractorRoles.contractorId))
      .where(eq(userContractorRoles.userId, userId))
      .orderBy(asc(contractors.name), asc(contractors.id), asc(localNameColumn(roles, locale)), asc(roles.id))
      .limit(atMost),
  ])
  const without = { contractorId: null, contractor: null, contractorEnabled: null }
  return [...own.map((held) => ({ ...held, ...without })), ...forContractors].slice(0, atMost)
}

/** Returns the contractors of a person by name, so many at most. */
export const selectContractorsOf = (userId: string, atMost: number) =>
  db()
    .select({ id: contractors.id, name: contractors.name })
    .from(userContractors)
    .innerJoin(contractors, eq(contractors.id, userContractors.contractorId))
    .where(eq(userContractors.userId, userId))
    .orderBy(asc(contractors.name), asc(contractors.id))
    .limit(atMost)

/** Returns the active authentication schemas by priority, with names in a language. */
export const selectSchemaNames = (locale: string) =>
  db()
    .select({ id: authenticationSchemas.id, name: localNameColumn(authenticationSchemas, locale) })
    .from(authenticationSchemas)
    .where(eq(authenticationSchemas.active, true))
    .orderBy(asc(authenticationSchemas.priority))

/** Returns the enabled and the disabled directories by name. */
export const selectProviderNames = () =>
  db().select({ id: providers.id, name: providers.name }).from(providers).orderBy(asc(providers.name)).limit(100)

/** Returns how many roles and contractors an account has, and how many sessions are open. */
export async function selectCounts(userId: string, now: Date) {
  const { rows } = await db().execute<{ roles: number; contractors: number; sessions: number }>(sql`
    select (select count(*) from ${userRoles} where user_id = ${userId})::int
        + (select count(*) from ${userContractorRoles} where user_id = ${userId})::int as roles,
      (select count(*) from ${userContractors} where user_id = ${userId})::int as contractors,
      (select count(*) from ${sessions} where user_id = ${userId} and ended_at is null
        and expires_at > ${now}::timestamptz)::int as sessions`)
  return rows[0] ?? { roles: 0, contractors: 0, sessions: 0 }
}

/**
 * Returns who prepared an account and could do less than administrators, with the name of a person or an application;
 * null for several, or one that is gone. Undefined if nobody did (docs/rules/access.md#prepared-accounts).
 */
export async function selectPreparer(userId: string) {
  const name = sql<string | null>`coalesce((select who.fio from ${users} who where who.id = ${users}.prepared_by),
    (select program.name from ${applications} program where program.id = ${users}.prepared_by))`
  const [row] = await db()
    .select({ name: name.as('preparer'), email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.preparedBy)))
  return row
}

/** Returns the names of the providers that keep an account or are linked to it, and for which no administrator vouches. */
export async function selectUnvouchedProviders(userId: string): Promise<string[]> {
  const isTheirs = sql`${providers}.id in (
    select provider_id from ${users} where id = ${userId}
    union all select provider_id from ${providerLinks} where user_id = ${userId})`
  const rows = await db()
    .select({ name: providers.name })
    .from(providers)
    .where(and(isNotNull(providers.enteredBy), isTheirs))
    .orderBy(asc(providers.name))
  return rows.map(({ name }) => name)
}
