import { asc, eq, getTableColumns, ilike, or, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { type CursorRules, cursorPage, type Keys } from '@/db/cursor'
import { containing, countRows, paged } from '@/db/list'
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
import { authenticationSchemas } from '@/db/schema/platform'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { listUsers } from './contract'

type ListInput = VerbInput<typeof listUsers>['query']

/** Above it the list says "more than". */
const countedAtMost = 10_000

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

/**
 * The text anywhere in what an account is called. The indexes know no parts of one or two characters, so such a text is
 * looked for at the beginning. A number may be typed with spaces, brackets and hyphens.
 */
function matching(text: string): SQL | undefined {
  const pattern = (part: string) => (part.length < 3 ? containing(part).slice(1) : containing(part))
  const digits = /^\+?[\d\s()-]+$/.test(text) ? text.replace(/\D/g, '').replace(/^8(?=\d{10}$)/, '7') : ''
  return or(
    ...[users.fio, users.login, users.email, users.externalId].map((column) => ilike(column, pattern(text))),
    digits.length >= 3 ? ilike(users.mobile, containing(digits)) : undefined,
  )
}

/** Whose id is among those of people with such a link; a set, so that PostgreSQL may begin with the rarer side. */
const linked = (...selects: SQL[]) => sql`${users}.id in (${sql.join(selects, sql` union all `)})`

type About = { id: string; now: Date; required: { columns: string[]; dynamic: string[] } | null }

/** Whether one of the required fields is empty. */
function lacking({ columns, dynamic }: NonNullable<About['required']>): SQL {
  const own = getTableColumns(users)
  const empty = [
    ...columns.map((code) => sql`coalesce(${own[code as 'login']}::text, '') = ''`),
    // neither nothing, nor an empty text or list
    ...dynamic.map((code) => sql`coalesce(${users.values} ->> ${code}, '') in ('', '[]')`),
  ]
  return empty.length > 0 ? sql`(${sql.join(empty, sql` or `)})` : sql`false`
}

const rulesOf = (about: About, total: number | 'none') =>
  ({
    list: 'users',
    caller: about.id,
    sorts: { name: users.fio, createdAt: users.createdAt },
    tie: users.id,
    total,
    filters: {
      search: matching,
      enabled: (wanted) => eq(users.enabled, wanted),
      roleId: (id) =>
        linked(
          sql`select l.user_id from ${userRoles} l where l.role_id = ${id}`,
          sql`select l.user_id from ${userContractorRoles} l where l.role_id = ${id}`,
        ),
      organizationId: (id) =>
        linked(
          sql`select l.user_id from ${userRoles} l where l.organization_id = ${id}`,
          sql`select l.user_id from ${userContractorRoles} l where l.organization_id = ${id}`,
        ),
      contractorId: (id) => linked(sql`select l.user_id from ${userContractors} l where l.contractor_id = ${id}`),
      providerId: (id) => eq(users.providerId, id),
      unseenDays: (days) =>
        sql`not exists (select from ${sessions} s where s.user_id = ${users}.id
            and s.last_access_at >= ${about.now}::timestamptz - make_interval(days => ${days}))`,
      incomplete: (wanted) => {
        const found = lacking(about.required ?? { columns: [], dynamic: [] })
        return wanted ? found : sql`not ${found}`
      },
    },
  }) satisfies CursorRules<ListInput['filter'], ListInput['sortBy']>

const counts = (where: SQL | undefined, atMost?: number) => countRows(users, where, atMost)

/** Returns one page of accounts. */
export const selectUserPage = (query: ListInput, about: About, pageSize: number | null) =>
  cursorPage(query, pageSize, rulesOf(about, countedAtMost), {
    rows: ({ keys, ...parts }) =>
      paged(
        db()
          .select({ ...columns, keys: sql<Keys>`${keys}`.as('keys') })
          .from(users)
          .$dynamic(),
        parts,
      ),
    count: counts,
  })

/** Returns one page of accounts with their fields, for an export, which counts nothing. */
export const selectUsersToExport = (query: ListInput, about: About) => {
  const { fio, lastName, firstName, middleName, birthDate, gender, locale, comment, values } = getTableColumns(users)
  const fields = { fio, lastName, firstName, middleName, birthDate, gender, locale, comment, values }
  return cursorPage(query, null, rulesOf(about, 'none'), {
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
