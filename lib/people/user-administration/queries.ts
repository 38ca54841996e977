import { asc, eq, getTableColumns, ilike, or, type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { containing, countRows, paged } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
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

/** Returns one page of accounts. */
export const selectUserPage = (query: ListInput, caller: string, pageSize: number | null) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'users',
      caller,
      sorts: { name: users.fio, createdAt: users.createdAt },
      tie: users.id,
      total: countedAtMost,
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
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({ ...columns, keys: sql<Keys>`${keys}`.as('keys') })
            .from(users)
            .$dynamic(),
          parts,
        ),
      count: (where, atMost) => countRows(users, where, atMost),
    },
  )

/** Returns an account; undefined if there is none. */
export async function selectUser(userId: string) {
  const { lastName, firstName, middleName, isEditable, emailVerifiedAt, mobileVerifiedAt } = getTableColumns(users)
  const more = { lastName, firstName, middleName, isEditable, emailVerifiedAt, mobileVerifiedAt }
  const hasPassword = sql<boolean>`${users.passwordHash} is not null`
  const [row] = await db()
    .select({ ...columns, ...more, hasPassword })
    .from(users)
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
