import { createHash } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { dynamicFields, dynamicFieldUniques } from '@/db/schema/dynamic-fields'
import { type Definition, storedUnder, uniqueText } from './definition'
import type { Values } from './values'

type Key = { fieldId: string; digest: string }
export type Owner = { userId: string } | { contractorId: string }

export const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Locks which fields are unique until the transaction ends; all who write values share this lock. With `change` it
 * waits for them and keeps new ones waiting. A transaction that writes values calls it before it locks its first row,
 * because a change of a field locks the rows of its owners afterwards.
 */
export const holdUniqueness = (tx: Transaction, { change = false } = {}) =>
  tx.execute(
    change
      ? sql`select pg_advisory_xact_lock(hashtextextended('uniqueness of fields', 0))`
      : sql`select pg_advisory_xact_lock_shared(hashtextextended('uniqueness of fields', 0))`,
  )

/** Returns those of the fields that are unique now: the definitions that a process has in its cache may be older. */
export async function uniqueAmong<T extends Pick<Definition, 'id'>>(
  tx: Transaction,
  fields: readonly T[],
): Promise<T[]> {
  if (fields.length === 0) return []
  await holdUniqueness(tx)
  const ids = fields.map(({ id }) => id)
  const rows = await tx
    .select({ id: dynamicFields.id })
    .from(dynamicFields)
    .where(and(inArray(dynamicFields.id, ids), dynamicFields.unique))
  return fields.filter(({ id }) => rows.some((row) => row.id === id))
}

const ofOwner = (owner: Owner) =>
  'userId' in owner
    ? eq(dynamicFieldUniques.userId, owner.userId)
    : eq(dynamicFieldUniques.contractorId, owner.contractorId)

/**
 * Gives an owner, whose row is locked, the values of these fields as unique ones, in place of the previous ones; fields
 * that aren't unique are left out. Returns the codes of the fields whose value another owner has. Nobody else gets the
 * values until the transaction ends.
 */
export async function claimUnique(
  tx: Transaction,
  owner: Owner,
  fields: readonly Pick<Definition, 'id' | 'code'>[],
  values: Values,
): Promise<string[]> {
  const unique = await uniqueAmong(tx, fields)
  if (unique.length === 0) return []
  const ids = unique.map(({ id }) => id)
  const isOwnKey = and(ofOwner(owner), inArray(dynamicFieldUniques.fieldId, ids))
  const keysBefore = await tx.select().from(dynamicFieldUniques).where(isOwnKey)
  const keysAfter = unique.flatMap(({ id, code }) => {
    const text = uniqueText(storedUnder(values, code))
    return text === null ? [] : [{ fieldId: id, code, digest: digestOf(text) }]
  })
  const includesKey = (keys: readonly Key[], { fieldId, digest }: Key) =>
    keys.some((candidate) => candidate.fieldId === fieldId && candidate.digest === digest)
  const removed = keysBefore.filter((key) => !includesKey(keysAfter, key))
  const added = keysAfter.filter((key) => !includesKey(keysBefore, key))
  await lockKeys(tx, [...removed, ...added])
  for (const { fieldId, digest } of removed)
    await tx
      .delete(dynamicFieldUniques)
      .where(and(eq(dynamicFieldUniques.fieldId, fieldId), eq(dynamicFieldUniques.digest, digest)))
  if (added.length === 0) return []
  const inserted = await tx
    .insert(dynamicFieldUniques)
    .values(added.map(({ fieldId, digest }) => ({ fieldId, digest, ...owner })))
    .onConflictDoNothing()
    .returning({ fieldId: dynamicFieldUniques.fieldId })
  return added.filter(({ fieldId }) => !inserted.some((row) => row.fieldId === fieldId)).map(({ code }) => code)
}

/** Returns the id of the account that has this value in a unique field; null if there is none. */
export async function ownerOfUnique(tx: Transaction, fieldId: string, value: unknown): Promise<string | null> {
  const text = uniqueText(value)
  if (text === null) return null
  const [row] = await tx
    .select({ userId: dynamicFieldUniques.userId })
    .from(dynamicFieldUniques)
    .where(and(eq(dynamicFieldUniques.fieldId, fieldId), eq(dynamicFieldUniques.digest, digestOf(text))))
  return row?.userId ?? null
}

/** Releases the value of a locked account in a unique field; the account gets another value in the same transaction. */
export const releaseUnique = (tx: Transaction, userId: string, fieldId: string) =>
  tx
    .delete(dynamicFieldUniques)
    .where(and(eq(dynamicFieldUniques.userId, userId), eq(dynamicFieldUniques.fieldId, fieldId)))

/**
 * Locks values, also those that are released, in one order for all: otherwise two people who swap their values could
 * wait for each other.
 */
async function lockKeys(tx: Transaction, keys: readonly Key[]) {
  for (const key of keys.map(({ fieldId, digest }) => `field ${fieldId} ${digest}`).sort())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** Gives accounts that are stored as they are, such as those of seeds, their unique values. */
export async function claimStored(tx: Transaction, rows: readonly { id: string; values: Values }[]) {
  const rowsWithValues = rows.filter(({ values }) => Object.keys(values).length > 0)
  if (rowsWithValues.length === 0) return
  const fields = await tx
    .select({ id: dynamicFields.id, code: dynamicFields.code })
    .from(dynamicFields)
    .where(
      sql`${dynamicFields.unique} and ${dynamicFields.type} in ('users', 'personnel-actions') and not ${dynamicFields.systemic}`,
    )
  const keys = rowsWithValues.flatMap(({ id: userId, values }) =>
    fields.flatMap(({ id: fieldId, code }) => {
      const text = uniqueText(storedUnder(values, code))
      return text === null ? [] : [{ fieldId, digest: digestOf(text), userId }]
    }),
  )
  if (keys.length > 0) await tx.insert(dynamicFieldUniques).values(keys)
}
