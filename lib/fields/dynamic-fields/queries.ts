import { and, asc, count, eq, ne, notExists, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { countRows, paged, selectPage } from '@/db/list'
import { nameAmongColumns } from '@/db/local-name'
import { rowsById } from '@/db/rows'
import { dynamicFieldSubtypes, dynamicFields, dynamicFieldTabs, personnelActionTypes } from '@/db/schema/dynamic-fields'
import { contractors, users } from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { isBase } from '../values/definition'
import type { FieldOwner, listDynamicFields } from './contract'

type Connection = Database | Transaction
export type FieldRow = typeof dynamicFields.$inferSelect

/** Returns how many tabs and fields each type has. */
export async function selectTypeCounts() {
  const [tabs, fields] = await Promise.all([
    db().select({ type: dynamicFieldTabs.type, count: count() }).from(dynamicFieldTabs).groupBy(dynamicFieldTabs.type),
    db().select({ type: dynamicFields.type, count: count() }).from(dynamicFields).groupBy(dynamicFields.type),
  ])
  return { tabs, fields }
}

export const selectTabs = (type: FieldOwner, database: Connection = db()) =>
  database
    .select()
    .from(dynamicFieldTabs)
    .where(eq(dynamicFieldTabs.type, type))
    .orderBy(asc(dynamicFieldTabs.order), asc(dynamicFieldTabs.id))

export const selectSubtypes = (type: FieldOwner, tab: string, database: Connection = db()) =>
  database
    .select()
    .from(dynamicFieldSubtypes)
    .where(and(eq(dynamicFieldSubtypes.type, type), eq(dynamicFieldSubtypes.tabId, tab)))
    .orderBy(asc(dynamicFieldSubtypes.order), asc(dynamicFieldSubtypes.code))

const inTab = (type: FieldOwner, tab: string) =>
  sql`(${dynamicFields.type}, ${dynamicFields.subtype}) in (
    select ${dynamicFieldSubtypes.type}, ${dynamicFieldSubtypes.code} from ${dynamicFieldSubtypes}
    where ${dynamicFieldSubtypes.type} = ${type} and ${dynamicFieldSubtypes.tabId} = ${tab})`

/** Returns the fields of a tab, active or not, in their order. */
export const selectTabFields = (type: FieldOwner, tab: string) =>
  db().select().from(dynamicFields).where(inTab(type, tab)).orderBy(asc(dynamicFields.order), asc(dynamicFields.code))

export const lockTabs = (tx: Transaction, type: FieldOwner) =>
  tx
    .select()
    .from(dynamicFieldTabs)
    .where(eq(dynamicFieldTabs.type, type))
    .orderBy(asc(dynamicFieldTabs.id))
    .for('no key update')

export const lockTabFields = (tx: Transaction, type: FieldOwner, tab: string) =>
  tx.select().from(dynamicFields).where(inTab(type, tab)).orderBy(asc(dynamicFields.id)).for('no key update')

export async function lockSubtype(tx: Transaction, type: FieldOwner, code: string) {
  const [row] = await tx
    .select()
    .from(dynamicFieldSubtypes)
    .where(and(eq(dynamicFieldSubtypes.type, type), eq(dynamicFieldSubtypes.code, code)))
    .for('update')
  return row
}

/** Locks and returns the subtypes of a tab. */
export const lockSubtypes = (tx: Transaction, type: FieldOwner, tab: string) =>
  tx
    .select()
    .from(dynamicFieldSubtypes)
    .where(and(eq(dynamicFieldSubtypes.type, type), eq(dynamicFieldSubtypes.tabId, tab)))
    .orderBy(asc(dynamicFieldSubtypes.code))
    .for('no key update')

const matching = (text: string) => found(text, [dynamicFields.title, dynamicFields.titleEn, dynamicFields.code])

/** Returns one page of fields of every type; titles are sorted in the language of `locale`. */
export const selectFieldPage = (
  query: ServiceInput<typeof listDynamicFields>['query'],
  pageSize: number | null,
  locale: string,
) => {
  const { id, type, code, title, titleEn, fieldType, active, updatedAt } = dynamicFields
  const titleInLocale = nameAmongColumns({ ru: title, en: titleEn }, locale, code)
  const { type: subtypeType, code: subtypeCode, tabId: tab } = dynamicFieldSubtypes
  return selectPage(
    query,
    pageSize,
    { sorts: { title: titleInLocale, code, updatedAt }, tie: id, filters: { search: matching } },
    {
      rows: (parts) =>
        paged(
          db()
            .select({ id, type, code, title, titleEn, fieldType, active, tab })
            .from(dynamicFields)
            .innerJoin(dynamicFieldSubtypes, and(eq(subtypeType, type), eq(subtypeCode, dynamicFields.subtype)))
            .$dynamic(),
          parts,
        ),
      count: (where) => countRows(dynamicFields, where),
    },
  )
}

const isField = (type: FieldOwner, id: string) => and(eq(dynamicFields.type, type), eq(dynamicFields.id, id))

export async function selectField(
  type: FieldOwner,
  id: string,
  database: Connection = db(),
): Promise<FieldRow | undefined> {
  const [row] = await database.select().from(dynamicFields).where(isField(type, id))
  return row
}

/** Locks a field for a change. Transactions that write its unique values don't wait for this lock. */
export async function lockField(tx: Transaction, type: FieldOwner, id: string): Promise<FieldRow | undefined> {
  const [row] = await tx.select().from(dynamicFields).where(isField(type, id)).for('no key update')
  return row
}

/**
 * Makes transactions that give codes to fields run one after another, each until it ends: fields of two types share the
 * codes of an account.
 */
export const holdCodes = (tx: Transaction) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('codes of fields', 0))`)

/** Returns whether another field of the same kind of owner has this code. */
export async function isCodeTaken(tx: Transaction, type: FieldOwner, code: string, id: string): Promise<boolean> {
  const isSameOwner =
    type === 'contractors' ? eq(dynamicFields.type, 'contractors') : ne(dynamicFields.type, 'contractors')
  return (await tx.$count(dynamicFields, and(isSameOwner, eq(dynamicFields.code, code), ne(dynamicFields.id, id)))) > 0
}

const ownersWithValue = (type: FieldOwner, code: string) => {
  const table = type === 'contractors' ? contractors : users
  return { table, where: sql`jsonb_exists(${table.values}, ${code})` }
}

/** Returns how many owners have a value under a code. It locks nothing. */
export function countValues(type: FieldOwner, code: string): Promise<number> {
  const { table, where } = ownersWithValue(type, code)
  return db().$count(table, where)
}

/** Returns how many people who can sign in have no value of a field, dynamic or a column. It locks nothing. */
export const countLacking = (field: Parameters<typeof isBase>[0]): Promise<number> =>
  db().$count(
    users,
    and(
      eq(users.enabled, true),
      isBase(field)
        ? sql`coalesce(${users[field.code as 'login']}::text, '') = ''`
        : sql`not jsonb_exists(${users.values}, ${field.code})`,
    ),
  )

/** Returns whether an owner has a value under a code. It locks nothing. */
export async function hasValues(tx: Transaction, type: FieldOwner, code: string): Promise<boolean> {
  const { table, where } = ownersWithValue(type, code)
  return (await tx.select({ id: table.id }).from(table).where(where).limit(1)).length > 0
}

/** Returns the order of a new field, behind the last one of a type. */
export async function nextFieldOrder(tx: Transaction, type: FieldOwner): Promise<number> {
  const [row] = await tx
    .select({ next: sql<number>`coalesce(max(${dynamicFields.order}), -1) + 1` })
    .from(dynamicFields)
    .where(eq(dynamicFields.type, type))
  return Number(row?.next ?? 0)
}

export async function nextSubtypeOrder(tx: Transaction, type: FieldOwner): Promise<number> {
  const [row] = await tx
    .select({ next: sql<number>`coalesce(max(${dynamicFieldSubtypes.order}), -1) + 1` })
    .from(dynamicFieldSubtypes)
    .where(eq(dynamicFieldSubtypes.type, type))
  return Number(row?.next ?? 0)
}

export const fieldRows = rowsById(dynamicFields)

export const setTab = (tx: Transaction, id: string, values: { active?: boolean; order?: number }) =>
  tx.update(dynamicFieldTabs).set(values).where(eq(dynamicFieldTabs.id, id))

export const insertSubtype = (tx: Transaction, row: typeof dynamicFieldSubtypes.$inferInsert) =>
  tx.insert(dynamicFieldSubtypes).values(row)
const isSubtype = (type: FieldOwner, code: string) =>
  and(eq(dynamicFieldSubtypes.type, type), eq(dynamicFieldSubtypes.code, code))
export const setSubtype = (
  tx: Transaction,
  type: FieldOwner,
  code: string,
  values: Partial<typeof dynamicFieldSubtypes.$inferInsert>,
) => tx.update(dynamicFieldSubtypes).set(values).where(isSubtype(type, code))
export const removeSubtype = (tx: Transaction, type: FieldOwner, code: string) =>
  tx.delete(dynamicFieldSubtypes).where(isSubtype(type, code))

/**
 * Returns up to 50 types of personnel actions by a part of their name; with `unusedOnly` those that aren't a subtype
 * yet.
 */
export const selectPersonnelActionTypes = (search: string | undefined, unusedOnly: boolean) =>
  db()
    .select()
    .from(personnelActionTypes)
    .where(
      and(
        search
          ? found(search, [personnelActionTypes.name, personnelActionTypes.nameEn, personnelActionTypes.code])
          : undefined,
        unusedOnly
          ? notExists(
              db()
                .select({ one: sql`1` })
                .from(dynamicFieldSubtypes)
                .where(
                  and(
                    eq(dynamicFieldSubtypes.type, 'personnel-actions'),
                    eq(dynamicFieldSubtypes.code, personnelActionTypes.code),
                  ),
                ),
            )
          : undefined,
      ),
    )
    .orderBy(asc(personnelActionTypes.name))
    .limit(50)

export const isPersonnelActionType = async (tx: Transaction, code: string) =>
  (await tx.$count(personnelActionTypes, eq(personnelActionTypes.code, code))) > 0

/** Returns whether a tab, or one of its subtypes, has fields that the platform ships with. */
export async function hasShippedFields(tx: Transaction, type: FieldOwner, part: { tab: string } | { subtype: string }) {
  const where =
    'tab' in part ? inTab(type, part.tab) : and(eq(dynamicFields.type, type), eq(dynamicFields.subtype, part.subtype))
  return (await tx.$count(dynamicFields, and(where, dynamicFields.systemic))) > 0
}
