import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { dynamicFields, dynamicFieldUniques } from '@/db/schema/dynamic-fields'
import { contractors, users } from '@/db/schema/people'
import { invalidate } from '@/lib/base/cache/cache'
import { holdsMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { type Definition, isBase, uniqueText } from './definition'
import { digestOf, holdUniqueness } from './unique'

/** A value that several owners have: as the first of them wrote it, and how many owners have it. */
type Double = { value: string; owners: number }

/** How many such values one answer names. */
const maxNamedDoubles = 20
const pageSize = 5_000

type Field = Pick<Definition, 'id' | 'type' | 'code'>

/**
 * Returns the stored values of a field with their owners, page by page. With `keep` the owners can't be deleted until
 * the transaction ends.
 */
async function* storedValues(tx: Transaction, { type, code }: Field, { keep }: { keep: boolean }) {
  const table = type === 'contractors' ? contractors : users
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = tx
      .select({ id: table.id, value: sql<unknown>`${table.values} -> ${code}::text` })
      .from(table)
      .where(and(gt(table.id, after), sql`jsonb_exists(${table.values}, ${code})`))
      .orderBy(asc(table.id))
      .limit(pageSize)
    const rows = await (keep ? page.for('key share') : page)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}

/**
 * Returns the values that several owners of a field have, the most common first. With `fill` it stores a row for each
 * value, for its first owner.
 */
async function doublesIn(tx: Transaction, field: Field, { fill }: { fill: boolean }): Promise<Double[]> {
  const doublesByDigest = new Map<string, Double>()
  for await (const page of storedValues(tx, field, { keep: fill })) {
    const firstOwners = page.flatMap(({ id, value }) => {
      const text = uniqueText(value)
      if (text === null) return []
      const digest = digestOf(text)
      const double = doublesByDigest.get(digest)
      if (double) double.owners++
      else doublesByDigest.set(digest, { value: typeof value === 'string' ? value : text, owners: 1 })
      const owner = field.type === 'contractors' ? { contractorId: id } : { userId: id }
      return double ? [] : [{ fieldId: field.id, digest, ...owner }]
    })
    if (fill && firstOwners.length > 0) await tx.insert(dynamicFieldUniques).values(firstOwners)
  }
  return [...doublesByDigest.values()].filter(({ owners }) => owners > 1).sort((a, b) => b.owners - a.owners)
}

type VisibleDoubles = { count: number; doubles: Double[] }

/**
 * Returns what the caller may know of doubles: how many there are, and the first of them if they may read the owners.
 */
function visibleDoubles(ctx: Ctx, { type }: Field, doubles: Double[]): VisibleDoubles {
  const mayRead = holdsMethod(ctx, type === 'contractors' ? 'contractors.read' : 'users.read')
  return { count: doubles.length, doubles: mayRead ? doubles.slice(0, maxNamedDoubles) : [] }
}

function refusal({ code }: Field, { count, doubles }: VisibleDoubles): AppError {
  const uniqueErrors = doubles.map(({ value, owners }) => ({
    field: code,
    code: 'errorUnique',
    params: { value, owners },
  }))
  return new AppError(400, undefined, {
    errorList: [{ field: 'unique', code: 'errorDoubles', params: { count } }],
    ...(uniqueErrors.length > 0 ? { uniqueErrors } : {}),
  })
}

/**
 * Makes a field unique, or no longer unique, in the transaction that saves its definition. Call it before the
 * transaction locks a row of people or contractors. Existing values count too, and nobody can save one meanwhile. Needs
 * dynamic-fields.write. Throws 404, 400 errorNeverUnique for a column, a picture, a toggle and a `multiple` field, and
 * 400 errorDoubles with the values that several owners have; then nothing is changed.
 */
export async function changeUniqueness(tx: Transaction, ctx: Ctx, fieldId: string, unique: boolean): Promise<void> {
  requireMethod(ctx, 'dynamic-fields.write')
  await holdUniqueness(tx, { change: true })
  const [field] = await tx.select().from(dynamicFields).where(eq(dynamicFields.id, fieldId)).for('update')
  if (!field) throw notFound()
  if (field.unique === unique) return
  const isNeverUnique = isBase(field) || field.multiple || field.fieldType === 'picture' || field.fieldType === 'toggle'
  if (unique && isNeverUnique) throw fieldError('unique', 'errorNeverUnique')
  await tx.delete(dynamicFieldUniques).where(eq(dynamicFieldUniques.fieldId, fieldId))
  const doubles = unique ? await doublesIn(tx, field, { fill: true }) : []
  if (doubles.length > 0) throw refusal(field, visibleDoubles(ctx, field, doubles))
  await tx.update(dynamicFields).set({ unique }).where(eq(dynamicFields.id, fieldId))
  await invalidate(tx, 'dynamic-fields')
}

/**
 * Returns how many values keep a field from becoming unique now, for a warning before it is saved, with the most common
 * ones if the caller may read their owners. Needs dynamic-fields.read. Throws 404.
 */
export async function findDoubles(tx: Transaction, ctx: Ctx, fieldId: string): Promise<VisibleDoubles> {
  requireMethod(ctx, 'dynamic-fields.read')
  const [field] = await tx.select().from(dynamicFields).where(eq(dynamicFields.id, fieldId))
  if (!field) throw notFound()
  return visibleDoubles(ctx, field, await doublesIn(tx, field, { fill: false }))
}
