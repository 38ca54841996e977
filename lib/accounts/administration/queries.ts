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
import { isUnusedByItself, isUnusedByVisits, selectUnused } from './unused-queries'

type ListInput = ServiceInput<typeof listUsers>['query']

/** Up to how many accounts the list without a search or filter counts; above it says "more than". */
const maxCounted = 10_000
/**
 * If a search or a filter finds at most `atMost` accounts, their ids are read first, once for the page and for its
 * count. If a role, an organization or a contractor has at most `links` links to people, these links are read before
 * the accounts; with more links a page is full soon.
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

/** Returns whether a text looks like a telephone number. */
const isNumber = (text: string) => /^\+?[\d\s()-]+$/.test(text)

/**
 * Returns the part of a text that the fewest rows contain, by which an index finds them: the longest word with digits,
 * because many numbers share what precedes it (`emp-000123`); otherwise what stands before the @ of an address, because
 * many addresses share their domain. A short word takes the characters beside it, which make it rarer. A long word with
 * digits is rare by itself, and the characters before it are common. Returns null if the part is the whole text.
 */
export function rarePart(text: string): string | null {
  if (isNumber(text)) return null
  const numbers = text.match(/[\p{L}\d]*\d[\p{L}\d]*/gu) ?? []
  const longest = numbers.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const atSign = text.indexOf('@')
  const word = longest.length >= 3 ? longest : atSign >= 3 ? text.slice(0, atSign) : ''
  if (word === '') return null
  const begin = text.indexOf(word)
  const margin = word === longest && word.length >= 5 ? 0 : 1
  const part = text.slice(Math.max(0, begin - margin), begin + word.length + margin)
  return part === text ? null : part
}

/**
 * A condition: the name, login, e-mail, external id or mobile of an account contains the words of a text. An index
 * finds the rows by the rarest parts of the words. A number may be typed with spaces, brackets and hyphens.
 */
function matching(text: string): SQL | undefined {
  const digits = isNumber(text) ? text.replace(/\D/g, '').replace(/^8(?=\d{10}$)/, '7') : ''
  const anyColumnHas = (words: string, number: string, mapColumn: (column: SQL) => SQL) =>
    or(
      found(words, [users.fio, users.login, users.email, users.externalId], { indexed: true, of: mapColumn }),
      number.length >= 3 ? sql`${mapColumn(sql`${users.mobile}`)} like ${containing(number)}` : undefined,
    )
  const words = searchWords(text)
  const parts = words.map((word) => (hasOtherSpelling(text) ? word : (rarePart(word) ?? word)))
  const lastDigits = digits.length > 7 ? digits.slice(-5) : digits
  const indexedText = parts.every((part, index) => part === words[index]) ? text : parts.join(' ')
  if (indexedText === text && lastDigits === digits) return anyColumnHas(text, digits, (column) => column)
  // the second condition is an expression, which PostgreSQL doesn't look up in an index: reading the index's lists of
  // frequent parts takes longer than reading the rows
  return and(
    anyColumnHas(indexedText, lastDigits, (column) => column),
    anyColumnHas(text, digits, (column) => sql`(${column} || '')`),
  )
}

/** A kind of links between people and an object: its tables, and their column with the id of the object. */
type Link = { tables: PgTable[]; column: string }
const links = {
  roleId: { tables: [userRoles, userContractorRoles], column: 'role_id' },
  organizationId: { tables: [userRoles, userContractorRoles], column: 'organization_id' },
  contractorId: { tables: [userContractors], column: 'contractor_id' },
} satisfies Partial<Record<keyof ListInput['filter'], Link>>
type LinkName = keyof typeof links

const linkSelects = ({ tables, column }: Link, id: string, and = sql``) =>
  tables.map((table) => sql`(select l.user_id from ${table} l where l.${sql.identifier(column)} = ${id} ${and})`)

/**
 * The links by which a list is filtered: `common` are too many to be read first, `many` belong to more people than are
 * read whole.
 */
type LinkSizes = { common: LinkName[]; many: LinkName[] }

async function selectLinkSizes(filter: ListInput['filter']): Promise<LinkSizes> {
  const filteredLinks = (Object.keys(links) as LinkName[]).filter((name) => filter[name])
  const sizes = await Promise.all(
    filteredLinks.map(async (name) => {
      const firstLinks = (atMost: number) =>
        sql`(${sql.join(linkSelects(links[name], filter[name] ?? '', sql`limit ${atMost}`), sql` union all `)}) l`
      // counting distinct people takes longer than counting links, so both counts stop at a limit
      const { rows } = await db().execute<{ common: boolean; many: boolean }>(
        sql`select (select count(*) > ${readWhole.links} from ${firstLinks(readWhole.links + 1)}) as common,
          (select count(distinct user_id) > ${readWhole.atMost} from ${firstLinks(2 * readWhole.atMost + 1)}) as many`,
      )
      return { name, ...rows[0] }
    }),
  )
  const linksWhere = (size: 'common' | 'many') => sizes.filter((each) => each[size]).map(({ name }) => name)
  return { common: linksWhere('common'), many: linksWhere('many') }
}

/**
 * A condition: an account has a link with this id. If few accounts have it, PostgreSQL finds them first. If many have
 * it, PostgreSQL looks at accounts one after another, because a page is full soon: it looks each up in a hash table of
 * the accounts that have the link, one table for each table of links, or, if these would be large, by a subquery.
 * Without `offset 0` it would then read all links first.
 */
function hasLink(name: LinkName, id: string, { common, many }: LinkSizes) {
  const anyOf = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`
  if (common.includes(name))
    return anyOf(
      linkSelects(links[name], id, sql`and l.user_id = ${users}.id offset 0`).map((select) => sql`exists ${select}`),
    )
  if (many.includes(name)) return anyOf(linkSelects(links[name], id).map((select) => sql`${users}.id in ${select}`))
  return sql`${users}.id in (${sql.join(linkSelects(links[name], id), sql` union all `)})`
}

type ListContext = { id: string; now: Date; required: RequiredCodes | null }

/** A condition: an account has no value under a code, or an empty text or list. */
const isEmpty = (code: string) => sql`coalesce(${users.values} ->> ${code}, '') in ('', '[]')`
/** A condition: an account has a value under a code. A toggle that is off doesn't count. */
const isFilled = (code: string) => sql`coalesce(${users.values} ->> ${code}, '') not in ('', '[]', 'false')`

/** A condition: one of the required fields is empty. A field of an action is required if its block has a value. */
function hasEmptyField({ columns, dynamic, actions }: RequiredCodes): SQL {
  const userColumns = getTableColumns(users)
  const conditions = [
    ...columns.map((code) => sql`coalesce(${userColumns[code as 'login']}::text, '') = ''`),
    ...dynamic.map(isEmpty),
    ...actions.map(({ code, block }) => sql`(${isEmpty(code)} and (${sql.join(block.map(isFilled), sql` or `)}))`),
  ]
  return conditions.length > 0 ? sql`(${sql.join(conditions, sql` or `)})` : sql`false`
}

type Filters = CursorRules<ListInput['filter'], ListInput['sortBy']>['filters']

const filtersOf = (context: ListContext, matches: LinkSizes): Filters => ({
  search: matching,
  enabled: (value) => eq(users.enabled, value),
  roleId: (id) => hasLink('roleId', id, matches),
  organizationId: (id) => hasLink('organizationId', id, matches),
  contractorId: (id) => hasLink('contractorId', id, matches),
  providerId: (id) => eq(users.providerId, id),
  unseenDays: (days) => isUnusedByVisits(days, context.now),
  incomplete: (value) => {
    const matches = hasEmptyField(context.required ?? { columns: [], dynamic: [], actions: [] })
    return value ? matches : sql`not ${matches}`
  },
})

const rulesOf = (context: ListContext, filters: Filters, total: number | 'none') =>
  ({
    list: 'users',
    caller: context.id,
    sorts: { name: users.fio, createdAt: users.createdAt },
    tie: users.id,
    total,
    filters,
  }) satisfies CursorRules<ListInput['filter'], ListInput['sortBy']>

/** Returns the ids of the accounts that a filter finds; null if there are more than are read whole. */
async function selectFew({ unseenDays, ...filter }: ListInput['filter'], filters: Filters, { now }: ListContext) {
  const limit = readWhole.atMost + 1
  const others = whereOf(filter, filters)
  const select = db().select({ id: users.id })
  const rows =
    unseenDays === undefined
      ? await select.from(users).where(others).limit(limit)
      : await selectUnused(unseenDays, now, others, limit)
  return rows.length < limit ? rows.map(({ id }) => id) : null
}

const count = (where: SQL | undefined, atMost?: number) => countRows(users, where, atMost)

/** Returns one page of accounts. */
export async function selectUserPage(query: ListInput, context: ListContext, pageSize: number | null) {
  const linkSizes = await selectLinkSizes(query.filter)
  const filters = filtersOf(context, linkSizes)
  const where = whereOf(query.filter, filters)
  const filterValues = Object.values(query.filter).filter((value) => value !== undefined)
  const isFrequentLink = filterValues.length === 1 && linkSizes.many.length === 1
  const few = where && !isFrequentLink ? await selectFew(query.filter, filters, context) : null
  const isOneOfFew = few && (() => (few.length > 0 ? sql`${users}.id = any(${sql.param(few)}::uuid[])` : sql`false`))
  const pageFilters = isOneOfFew
    ? (Object.fromEntries(Object.keys(filters).map((name) => [name, isOneOfFew])) as unknown as Filters)
    : { ...filters, unseenDays: (days: number) => isUnusedByItself(days, context.now) }
  return cursorPage(query, pageSize, rulesOf(context, pageFilters, where ? readWhole.atMost : maxCounted), {
    rows: ({ keys, ...parts }) => {
      const page = (pageParts: Parts) =>
        paged(
          db()
            .select({ ...columns, keys: sql<Keys>`${keys}`.as('keys') })
            .from(users)
            .$dynamic(),
          pageParts,
        )
      if (!where || few) return page(parts)
      // only the index of the order is read for the ids: thousands of accounts may be skipped before a page is full
      const ids = paged(db().select({ id: users.id }).from(users).$dynamic(), parts)
      return page({ ...parts, where: inArray(users.id, ids), offset: 0 })
    },
    // `only` asks for one account
    count: async (cond, atMost) => (where && !query.only ? (few?.length ?? readWhole.atMost + 1) : count(cond, atMost)),
  })
}

/** Returns one page of accounts with their fields, for an export. Counts nothing. */
export async function selectUsersToExport(query: ListInput, context: ListContext) {
  const filters = filtersOf(context, await selectLinkSizes(query.filter))
  const { fio, lastName, firstName, middleName, birthDate, gender, locale, comment, values } = getTableColumns(users)
  const fields = { fio, lastName, firstName, middleName, birthDate, gender, locale, comment, values }
  return cursorPage(query, null, rulesOf(context, filters, 'none'), {
    rows: ({ keys, ...parts }) =>
      paged(
        db()
          .select({ ...columns, ...fields, keys: sql<Keys>`${keys}`.as('keys') })
          .from(users)
          .$dynamic(),
        parts,
      ),
    count,
  })
}

/** Returns an account; undefined if there is none. */
export async function selectUser(userId: string, locale: string) {
  const { lastName, firstName, middleName, isEditable, emailVerifiedAt, mobileVerifiedAt } = getTableColumns(users)
  const { birthDate, gender, locale: language, comment, values, passwordChangedAt } = getTableColumns(users)
  const cardColumns = {
    ...{ lastName, firstName, middleName, isEditable, emailVerifiedAt, mobileVerifiedAt, birthDate, gender, comment },
    ...{ locale: language, values, passwordChangedAt, authenticationSchemaId: users.authenticationSchemaId },
    schemaName: localNameColumn(authenticationSchemas, locale).as('schema_name'),
  }
  const [row] = await db()
    .select({ ...columns, ...cardColumns })
    .from(users)
    .leftJoin(authenticationSchemas, eq(authenticationSchemas.id, users.authenticationSchemaId))
    .where(eq(users.id, userId))
  return row
}

/** Returns up to `atMost` roles of a person with their places, with names in a language. */
export async function selectHeldRoles(userId: string, locale: string, atMost: number) {
  const role = { id: roles.id, name: localNameColumn(roles, locale), enabled: roles.enabled }
  const organization = {
    organizationId: organizations.id,
    organization: localNameColumn(organizations, locale),
    organizationEnabled: organizations.enabled,
  }
  const [withoutContractor, forContractors] = await Promise.all([
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
  const noContractor = { contractorId: null, contractor: null, contractorEnabled: null }
  return [...withoutContractor.map((row) => ({ ...row, ...noContractor })), ...forContractors].slice(0, atMost)
}

/** Returns up to `atMost` contractors of a person, sorted by name. */
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

/** Returns up to 100 identity providers, enabled or not, sorted by name. */
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
 * Returns the name of the preparer of an account, a person or an application, and the account's e-mail. The name is
 * null for several preparers and for one that no longer exists. Returns undefined for an account without a preparer who
 * is less than an administrator (docs/rules/access.md#prepared-accounts).
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

/**
 * Returns the names of the identity providers that keep an account or are linked to it, and for which no administrator
 * vouches.
 */
export async function selectUnvouchedProviders(userId: string): Promise<string[]> {
  const isOfAccount = sql`${providers}.id in (
    select provider_id from ${users} where id = ${userId}
    union all select provider_id from ${providerLinks} where user_id = ${userId})`
  const rows = await db()
    .select({ name: providers.name })
    .from(providers)
    .where(and(isNotNull(providers.enteredBy), isOfAccount))
    .orderBy(asc(providers.name))
  return rows.map(({ name }) => name)
}
