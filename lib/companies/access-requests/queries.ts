import { and, asc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { refersTo } from '@/db/few'
import type { ManagedContractors } from '@/db/held-roles'
import { countRows, paged } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { isRefused } from '@/db/refused-contact'
import { rowsById } from '@/db/rows'
import { accessRequestRoles, accessRequests } from '@/db/schema/access-requests'
import { contractors, methods, roleMethods, roles, users } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listAccessRequests, listManagedContractors } from './contract'
import { isUsualOrder } from './usual-order'

type Connection = Database | Transaction
export type AccessRequestRow = typeof accessRequests.$inferSelect

/** How many rows of a list are counted. */
const maxCounted = 10_000
/** How many rows are counted that a search finds. */
const maxCountedMatches = 100

/**
 * A condition: the person who decides may read and find the e-mail of the person who asks
 * (docs/rules/access-requests.md#who-decides).
 */
const isEmailVisible = (showsEmails: boolean) =>
  showsEmails ? sql`not ${isRefused(sql`${users.id}`, 'email', sql`${users.email}`)}` : sql`false`

/** The name of a person; otherwise the e-mail if it is visible; otherwise an empty text. */
const personName = (email: SQL) => sql<string>`coalesce(nullif(${users.fio}, ''),
  nullif(concat_ws(' ', nullif(${users.lastName}, ''), nullif(${users.firstName}, '')), ''), ${email}, '')`

/** A condition: a person who manages these contractors may decide on the request. */
const isDecidable = (managed: ManagedContractors): SQL | undefined =>
  managed.all ? undefined : sql`${accessRequests.inn} = any(${sql.param(managed.inns)}::text[])`

/** Undecided requests come before the others in the usual order. */
const undecidedFirst = sql`(${accessRequests.status} = 'considered')`

/**
 * Returns one page of requests: those of a person (`own`), or those of others that a manager may decide on. `email` is
 * whether the profile shows e-mails. Of the requests of others, the undecided ones come first.
 */
export async function selectRequestPage(
  scopeInput: { own: string } | { manager: string; managed: ManagedContractors; email: boolean },
  query: ServiceInput<typeof listAccessRequests>['query'],
  caller: string,
  pageSize: number | null,
) {
  const isOwn = 'own' in scopeInput
  const scope = isOwn
    ? eq(accessRequests.userId, scopeInput.own)
    : and(ne(accessRequests.userId, scopeInput.manager), isDecidable(scopeInput.managed))
  const { createdAt, finishedAt, name, inn, status } = accessRequests
  const { search } = query.filter
  const isVisible = isEmailVisible(!isOwn && scopeInput.email)
  const email = sql<string | null>`case when ${isVisible} then ${users.email} end`
  const ofFoundPeople =
    search && !isOwn
      ? await refersTo(
          accessRequests.userId,
          users.id,
          or(
            found(search, [users.fio], { indexed: true }),
            and(found(search, [users.email], { indexed: true }), isVisible),
          ),
        )
      : undefined
  return cursorPage(
    query,
    pageSize,
    {
      list: isOwn ? `access-requests ${scopeInput.own}` : 'incoming-requests',
      caller,
      sorts: { requestDate: createdAt, responseDate: finishedAt, requestCompanyName: name },
      tie: accessRequests.id,
      ...(!isOwn && isUsualOrder(query) ? { first: undecidedFirst } : {}),
      total: search ? maxCountedMatches : maxCounted,
      filters: {
        status: (list) => inArray(status, list),
        search: (text) => or(found(text, [name, inn]), ofFoundPeople?.condition),
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({
              request: accessRequests,
              contractor: { name: contractors.name, inn: contractors.inn, tax: contractors.taxNumber },
              user: {
                id: users.id,
                name: personName(email).as('person_name'),
                email: email.as('person_email'),
                enabled: users.enabled,
              },
              decider: sql<string | null>`(
                select nullif(d.fio, '') from ${users} d where d.id = ${accessRequests.deciderId})`,
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(accessRequests)
            .innerJoin(users, eq(users.id, accessRequests.userId))
            .leftJoin(contractors, eq(contractors.id, accessRequests.contractorId))
            .$dynamic(),
          { ...parts, where: and(scope, parts.where) },
        ),
      count: (where, atMost) => countRows(accessRequests, and(scope, where), atMost),
    },
  )
}

/** Returns how many requests of others a manager of these contractors may decide on, up to 100. */
export const countUndecided = (manager: string, managed: ManagedContractors) => {
  const condition = and(
    eq(accessRequests.status, 'considered'),
    ne(accessRequests.userId, manager),
    isDecidable(managed),
  )
  return countRows(accessRequests, condition, maxCountedMatches)
}

/** Returns the roles that requests ask for, with names in a language. */
export const selectRequestedRoles = (requestIds: string[], locale: string, database: Connection = db()) =>
  database
    .select({ requestId: accessRequestRoles.requestId, roleId: roles.id, roleName: localNameColumn(roles, locale) })
    .from(accessRequestRoles)
    .innerJoin(roles, eq(roles.id, accessRequestRoles.roleId))
    .where(inArray(accessRequestRoles.requestId, requestIds))
    .orderBy(asc(localNameColumn(roles, locale)), asc(roles.id))

/** Returns the names of roles in a language, in their order. */
export async function selectRoleNames(tx: Transaction, ids: readonly string[], locale: string): Promise<string[]> {
  const name = localNameColumn(roles, locale)
  const rows = await tx
    .select({ name })
    .from(roles)
    .where(inArray(roles.id, [...ids]))
    .orderBy(asc(name), asc(roles.id))
  return rows.map((row) => row.name)
}

/** Returns the enabled contractor roles, with the applications whose methods they have. */
export const selectContractorRoles = (locale: string) =>
  db()
    .select({
      roleId: roles.id,
      name: localNameColumn(roles, locale),
      comment:
        locale === 'en' ? sql<string>`coalesce(nullif(trim(${roles.commentEn}), ''), ${roles.comment})` : roles.comment,
      applicationIds: sql<string[]>`array(select distinct m.application_id from ${roleMethods} rm
        join ${methods} m on m.id = rm.method_id join ${applications} a on a.id = m.application_id
        where rm.role_id = ${roles}.id)`,
    })
    .from(roles)
    .where(and(eq(roles.roleType, 'contractor'), roles.enabled))
    .orderBy(asc(localNameColumn(roles, locale)), asc(roles.id))

/** Returns the companies of a person's undecided requests that have one of these inns. */
export async function selectUndecidedCompanies(
  tx: Transaction,
  userId: string,
  companies: { inn: string; kpp: string | null }[],
) {
  const rows = await tx
    .select({ inn: accessRequests.inn, kpp: accessRequests.kpp })
    .from(accessRequests)
    .where(
      and(
        eq(accessRequests.userId, userId),
        eq(accessRequests.status, 'considered'),
        inArray(
          accessRequests.inn,
          companies.map(({ inn }) => inn),
        ),
      ),
    )
  return rows
}

/** Returns whether a person refused to be contacted by their main e-mail. */
export async function isEmailRefused(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isRefused(sql`${users.id}`, 'email', sql`${users.email}`)))
  return rows.length > 0
}

export async function insertRequest(tx: Transaction, values: typeof accessRequests.$inferInsert, roleIds: string[]) {
  const [row] = await tx.insert(accessRequests).values(values).returning()
  if (!row) throw new Error('an access request was not stored')
  if (roleIds.length > 0)
    await tx.insert(accessRequestRoles).values(roleIds.map((roleId) => ({ requestId: row.id, roleId })))
  return row
}

export const accessRequestRows = rowsById(accessRequests)

/** Moves the requests of contractors that are merged to the contractor that they are merged into. */
export const moveRequests = (tx: Transaction, targetId: string, sourceIds: string[]) =>
  tx.update(accessRequests).set({ contractorId: targetId }).where(inArray(accessRequests.contractorId, sourceIds))

/** Returns the name of an enabled contractor; null if there is none. */
export async function selectContractorName(id: string): Promise<string | null> {
  const [row] = await db()
    .select({ name: contractors.name })
    .from(contractors)
    .where(and(eq(contractors.id, id), eq(contractors.enabled, true)))
  return row?.name ?? null
}

/** Returns the name of a person; null without one. */
export async function selectName(tx: Transaction, id: string): Promise<string | null> {
  const [row] = await tx.select({ fio: users.fio }).from(users).where(eq(users.id, id))
  return row?.fio || null
}

/** Returns what a decision needs to know of the person who asked; null if the account doesn't exist. */
export async function selectPerson(tx: Transaction, id: string) {
  const [row] = await tx
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      enabled: users.enabled,
      locale: sql<
        string | null
      >`coalesce((select s.lang from user_settings s where s.user_id = ${users}.id), ${users.locale})`,
    })
    .from(users)
    .where(eq(users.id, id))
  return row ?? null
}

const { id, name, inn, kpp, taxNumber } = contractors

/** Returns one page of the enabled contractors that somebody manages. */
export function selectManagedPage(
  managed: ManagedContractors,
  query: ServiceInput<typeof listManagedContractors>['query'],
  caller: string,
  pageSize: number | null,
) {
  const scope = and(
    eq(contractors.enabled, true),
    managed.all ? undefined : sql`${id} = any(${sql.param(managed.ids)}::uuid[])`,
  )
  return cursorPage(
    query,
    pageSize,
    {
      list: 'managed-contractors',
      caller,
      sorts: { name, inn },
      tie: id,
      total: maxCounted,
      filters: {
        inn: (text) => eq(inn, text),
        search: (text) => found(text, [name, inn, kpp]),
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({ id, name, inn, kpp, taxNumber, keys: sql<Keys>`${keys}`.as('keys') })
            .from(contractors)
            .$dynamic(),
          { ...parts, where: and(scope, parts.where) },
        ),
      count: (where, atMost) => countRows(contractors, and(scope, where), atMost),
    },
  )
}
