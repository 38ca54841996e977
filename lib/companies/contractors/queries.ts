import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage, rowsOf } from '@/db/cursor'
import { chosen, countRows } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { isOpenInvitation } from '@/db/open-invitation'
import { invitations } from '@/db/schema/entry'
import {
  comparedName,
  contractorOrganizations,
  contractors,
  organizations,
  userContractorRoles,
  userContractors,
} from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listContractors, searchContractors } from './contract'

type Connection = Database | Transaction
type ListInput = ServiceInput<typeof listContractors>['query']
type SearchInput = ServiceInput<typeof searchContractors>['query']
export type ContractorRow = typeof contractors.$inferSelect

/** Up to how many rows a list of contractors, or of one contractor, counts; above it says "more than". */
export const maxCounted = 10_000
const { id, name, inn, kpp, externalCode } = contractors

const matching = (text: string) => found(text, [name, inn, kpp, externalCode], { indexed: true })

/** Returns one page of contractors. `similar` are the ids that the filter `similarTo` finds. */
export const selectContractorPage = (query: ListInput, caller: string, pageSize: number | null, similar: string[]) =>
  cursorPage(
    query,
    pageSize,
    {
      list: 'contractors',
      caller,
      sorts: { name, inn, updatedAt: contractors.updatedAt },
      tie: id,
      total: maxCounted,
      filters: {
        search: matching,
        enabled: (value) => eq(contractors.enabled, value),
        organizationId: (organizationId) => sql`exists (select from ${contractorOrganizations} co
          where co.contractor_id = ${id} and co.organization_id = ${organizationId})`,
        people: (value) => sql`${sql.raw(value ? '' : 'not ')}exists (select from ${userContractors} uc
          where uc.contractor_id = ${id})`,
        similarTo: () => inArray(id, similar),
      },
    },
    { rows: rowsOf(contractors), count: (where, atMost) => countRows(contractors, where, atMost) },
  )

/** Returns a contractor; undefined if there is none. */
export async function selectContractor(
  contractorId: string,
  database: Connection = db(),
): Promise<ContractorRow | undefined> {
  const [row] = await database.select().from(contractors).where(eq(id, contractorId))
  return row
}

/** Returns the available organizations of these contractors, sorted by their names in a language. */
export const selectAvailable = (database: Connection, ids: string[], locale: string) =>
  database
    .select({
      contractorId: contractorOrganizations.contractorId,
      id: organizations.id,
      name: localNameColumn(organizations, locale),
    })
    .from(contractorOrganizations)
    .innerJoin(organizations, eq(organizations.id, contractorOrganizations.organizationId))
    .where(inArray(contractorOrganizations.contractorId, ids))
    .orderBy(asc(localNameColumn(organizations, locale)), asc(organizations.id))

/** Returns the ids of a contractor's available organizations, sorted. */
export async function selectAvailableIds(database: Connection, contractorId: string): Promise<string[]> {
  const rows = await database
    .select({ id: contractorOrganizations.organizationId })
    .from(contractorOrganizations)
    .where(eq(contractorOrganizations.contractorId, contractorId))
    .orderBy(asc(contractorOrganizations.organizationId))
  return rows.map((row) => row.id)
}

/** Returns how many people belong to each of these contractors that has any. */
export async function selectPeopleCounts(database: Connection, ids: string[]): Promise<Map<string, number>> {
  const rows = await database
    .select({ id: userContractors.contractorId, people: count() })
    .from(userContractors)
    .where(inArray(userContractors.contractorId, ids))
    .groupBy(userContractors.contractorId)
  return new Map(rows.map((row) => [row.id, row.people]))
}

/** Returns how many open invitations there are to each of these contractors that has any. */
export async function selectInvitationCounts(
  database: Connection,
  ids: string[],
  now: Date,
): Promise<Map<string, number>> {
  const rows = await database
    .select({ id: invitations.contractorId, pending: count() })
    .from(invitations)
    .where(and(inArray(invitations.contractorId, ids), isOpenInvitation(now)))
    .groupBy(invitations.contractorId)
  return new Map(rows.map((row) => [row.id, row.pending]))
}

/** Returns how many people, roles that they hold for it, and open invitations a contractor has. */
export async function selectUsage(database: Connection, contractorId: string, now: Date) {
  const people = await database.$count(userContractors, eq(userContractors.contractorId, contractorId))
  const roles = await database.$count(userContractorRoles, eq(userContractorRoles.contractorId, contractorId))
  const pending = await database.$count(
    invitations,
    and(eq(invitations.contractorId, contractorId), isOpenInvitation(now)),
  )
  return { people, roles, invitations: pending }
}

/** Locks contractors for a change, in the order of their ids, and returns those that exist. */
export const lockContractors = (tx: Transaction, ids: readonly string[]): Promise<ContractorRow[]> =>
  tx
    .select()
    .from(contractors)
    .where(inArray(id, [...ids]))
    .orderBy(asc(id))
    .for('update')

export const insertContractor = (tx: Transaction, values: typeof contractors.$inferInsert) =>
  tx.insert(contractors).values(values)

export const storeContractor = (
  tx: Transaction,
  contractorId: string,
  values: Partial<typeof contractors.$inferInsert>,
) => tx.update(contractors).set(values).where(eq(id, contractorId))

export const removeContractors = (tx: Transaction, ids: readonly string[]) =>
  tx.delete(contractors).where(inArray(id, [...ids]))

/** Replaces the available organizations of a contractor by others. */
export async function storeAvailable(tx: Transaction, contractorId: string, before: string[], after: string[]) {
  const added = after.filter((organization) => !before.includes(organization))
  const removed = before.filter((organization) => !after.includes(organization))
  const { organizationId } = contractorOrganizations
  if (added.length > 0)
    await tx
      .insert(contractorOrganizations)
      .values(added.map((organization) => ({ contractorId, organizationId: organization })))
  if (removed.length > 0)
    await tx
      .delete(contractorOrganizations)
      .where(and(eq(contractorOrganizations.contractorId, contractorId), inArray(organizationId, removed)))
}

/** Returns contractors to choose from: by text (50 at most) or by ids. */
export const selectContractorOptions = (query: SearchInput) =>
  chosen(db().select({ id, name, inn, kpp, enabled: contractors.enabled }).from(contractors).$dynamic(), query, {
    id,
    called: matching,
    by: name,
  })

/** The least similarity of two names for one to be shown as a possible double of the other. */
const minSimilarity = 0.6
/**
 * How many names on each side of a contractor's own are compared with it, in the order of names and in that of reversed
 * names.
 */
const neighbourCount = 100

/**
 * Returns up to `atMost` ids of possible doubles of a contractor: with the same inn, or a similar name. Names are
 * compared with their neighbours in two indexes, because the index of trigrams reads all names that share a word.
 */
export async function selectSimilar(contractorId: string, atMost: number): Promise<string[]> {
  const neighboursBy = (key: SQL, ownKey: SQL) =>
    (['<', '>='] as const).map(
      (side) => sql`(select c.id, c.name from ${contractors} c where ${key} ${sql.raw(side)} (select ${ownKey} from one)
        order by ${key} ${sql.raw(side === '<' ? 'desc' : 'asc')} limit ${neighbourCount})`,
    )
  const [forwards, backwards] = [comparedName(sql`c.name`), sql`reverse(${comparedName(sql`c.name`)})`]
  const neighbourSelects = [...neighboursBy(forwards, sql`key`), ...neighboursBy(backwards, sql`reverse(key)`)]
  const { rows } = await db().execute<{ id: string }>(sql`
    with one as materialized (
      select id, inn, name, ${comparedName(sql`name`)} as key from ${contractors} where id = ${contractorId})
    (select c.id from one join ${contractors} c on c.inn = one.inn and c.id <> one.id limit ${atMost})
    union
    (select near.id from one, (${sql.join(neighbourSelects, sql` union all `)}) near
      where near.id <> one.id and similarity(near.name, one.name) >= ${minSimilarity} limit ${atMost})
    limit ${atMost}`)
  return rows.map((row) => row.id)
}

/** Returns those of these ids that are organizations, and locks them against deletion. */
export async function keepOrganizations(tx: Transaction, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(inArray(organizations.id, ids))
    .orderBy(asc(organizations.id))
    .for('key share')
  return rows.map((row) => row.id)
}
