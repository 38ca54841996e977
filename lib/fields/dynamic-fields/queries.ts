import { and, asc, count, eq, ne, notExists, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { countRows, paged, selectPage } from '@/db/list'
import { nameAmongColumns } from '@/db/local-name'
import { dynamicFieldSubtypes, dynamicFields, dynamicFieldTabs, personnelActionTypes } from '@/db/schema/dynamic-fields'
import { contractors, users } from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { isBase } from '../values/definition'
import type { FieldOwner, listDynamicFields } from './contract'

type Run = Database | Transaction
export type FieldRow = typeof dynamicFields.$inferSelect
export type NewField = typeof dynamicFields.$inferInsert

/** Returns how many tabs and fields each type has. */
export async function selectTypeCounts() {
  const [tabs, fields] = await Promise.all([
    db().select({ type: dynamicFieldTabs.type, count: count() }).from(dynamicFieldTabs).groupBy(dynamicFieldTabs.type),
    db().select({ type: dynamicFields.type, count: count() }).from(dynamicFields).groupBy(dynamicFields.type),
  ])
  return { tabs, fields }
}

export const selectTabs = (type: FieldOwner, run: Run = db()) =>
  run
    .select()
    .from(dynamicFieldTabs)
    .where(eq(dynamicFieldTabs.type, type))
    .orderBy(asc(dynamicFieldTabs.order), asc(dynamicFieldTabs.id))

export const selectSubtypes = (type: FieldOwner, tab: string, run: Run = db()) =>
  run
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

/** The subtypes of a tab, locked. */
export const lockSubtypes = (tx: Transaction, type: FieldOwner, tab: string) =>
  tx
    .select()
    .from(dynamicFieldSubtypes)
    .where(and(eq(dynamicFieldSubtypes.type, type), eq(dynamicFieldSubtypes.tabId, tab)))
    .orderBy(asc(dynamicFieldSubtypes.code))
    .for('no key update')

const titled = (text: string) => found(text, [dynamicFields.title, dynamicFields.titleEn, dynamicFields.code])

/** Returns one page of fields of every type; titles are sorted in the language of `locale`. */
export const selectFieldPage = (
  query: ServiceInput<typeof listDynamicFields>['query'],
  pageSize: number | null,
  locale: string,
) => {
  const { id, type, code, title, titleEn, fieldType, active, updatedAt } = dynamicFields
  const names = nameAmongColumns({ ru: title, en: titleEn }, locale, code)
  const { type: ofType, code: block, tabId: tab } = dynamicFieldSubtypes
  return selectPage(
    query,
    pageSize,
    { sorts: { title: names, code, updatedAt }, tie: id, filters: { search: titled } },
    {
      rows: (parts) =>
        paged(
          db()
            .select({ id, type, code, title, titleEn, fieldType, active, tab })
            .from(dynamicFields)
            .innerJoin(dynamicFieldSubtypes, and(eq(ofType, type), eq(block, dynamicFields.subtype)))
            .$dynamic(),
          parts,
        ),
      count: (where) => countRows(dynamicFields, where),
    },
  )
}

const isField = (type: FieldOwner, id: string) => and(eq(dynamicFields.type, type), eq(dynamicFields.id, id))

export async function selectField(type: FieldOwner, id: string, run: Run = db()): Promise<FieldRow | undefined> {
  const [row] = await run.select().from(dynamicFields).where(isField(type, id))
  return row
}

/** Locks a field for a change. Who writes its unique values isn't in the way. */
export async function lockField(tx: Transaction, type: FieldOwner, id: string): Promise<FieldRow | undefined> {
  const [row] = await tx.select().from(dynamicFields).where(isField(type, id)).for('no key update')
  return row
}

/** Lets one transaction after another take codes, until each ends: fields of two types share the codes of an account. */
export const holdCodes = (tx: Transaction) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('codes of fields', 0))`)

/** Returns whether another field has this code among those that are kept on the same owner. */
export async function isCodeTaken(tx: Transaction, type: FieldOwner, code: string, id: string): Promise<boolean> {
  const shared = type === 'contractors' ? eq(dynamicFields.type, 'contractors') : ne(dynamicFields.type, 'contractors')
  return (await tx.$count(dynamicFields, and(shared, eq(dynamicFields.code, code), ne(dynamicFields.id, id)))) > 0
}

const holding = (type: FieldOwner, code: string) => {
  const table = type === 'contractors' ? contractors : users
  return { table, where: sql`jsonb_exists(${table.values}, ${code})` }
}

/** Returns how many owners have a value under a code. It locks nothing. */
export function countValues(type: FieldOwner, code: string): Promise<number> {
  const { table, where } = holding(type, code)
  return db().$count(table, where)
}

/** Returns how many people who can sign in have no value of a field, which may be a column of theirs. It locks nothing. */
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
  const { table, where } = holding(type, code)
  return (await tx.select({ id: table.id }).from(table).where(where).limit(1)).length > 0
}

/** Returns the place behind the last field of a type. */
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

export const insertField = (tx: Transaction, row: NewField) => tx.insert(dynamicFields).values(row)
export const setField = (tx: Transaction, id: string, values: Partial<NewField>) =>
  tx.update(dynamicFields).set(values).where(eq(dynamicFields.id, id))
export const removeField = (tx: Transaction, id: string) => tx.delete(dynamicFields).where(eq(dynamicFields.id, id))

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

/** Returns up to 50 types of personnel actions by a part of their name; with `free` those that are no subtype. */
export const selectPersonnelActionTypes = (search: string | undefined, free: boolean) =>
  db()
    .select()
    .from(personnelActionTypes)
    .where(
      and(
        search
          ? found(search, [personnelActionTypes.name, personnelActionTypes.nameEn, personnelActionTypes.code])
          : undefined,
        free
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
export async function hasShippedFields(tx: Transaction, type: FieldOwner, of: { tab: string } | { subtype: string }) {
  const where =
    'tab' in of ? inTab(type, of.tab) : and(eq(dynamicFields.type, type), eq(dynamicFields.subtype, of.subtype))
  return (await tx.$count(dynamicFields, and(where, dynamicFields.systemic))) > 0
}
