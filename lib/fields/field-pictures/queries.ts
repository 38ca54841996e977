import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { contractors, userContractors, users } from '@/db/schema/people'
import { fieldPictures } from '@/db/schema/pictures'
import type { PictureSize } from '@/lib/base/pictures/encode'
import { hasTurn } from '@/lib/base/postgres/batches'

export type PictureOwner = { userId: string } | { contractorId: string }

const ofOwner = (owner: PictureOwner) =>
  'userId' in owner ? eq(fieldPictures.userId, owner.userId) : eq(fieldPictures.contractorId, owner.contractorId)

export const removeFieldPicture = (tx: Transaction, owner: PictureOwner, code: string) =>
  tx.delete(fieldPictures).where(and(ofOwner(owner), eq(fieldPictures.code, code)))

export const insertFieldPicture = (tx: Transaction, row: typeof fieldPictures.$inferInsert) =>
  tx.insert(fieldPictures).values(row)

/**
 * Returns the owner of a picture and the code of its field; null for a picture that the values of its owner don't name.
 */
export async function selectPictureOwner(id: string) {
  const [row] = await db()
    .select({
      code: fieldPictures.code,
      userId: fieldPictures.userId,
      contractorId: fieldPictures.contractorId,
      value: sql<unknown>`coalesce(${users.values}, ${contractors.values}) -> ${fieldPictures.code}`,
    })
    .from(fieldPictures)
    .leftJoin(users, eq(users.id, fieldPictures.userId))
    .leftJoin(contractors, eq(contractors.id, fieldPictures.contractorId))
    .where(eq(fieldPictures.id, id))
  return row?.value === id ? row : null
}

/** Returns the bytes of a picture; null if it no longer exists. */
export async function selectFieldPicture(id: string, size: PictureSize) {
  const [row] = await db().select({ bytes: fieldPictures[size] }).from(fieldPictures).where(eq(fieldPictures.id, id))
  return row?.bytes ?? null
}

/** Returns whether a person belongs to a contractor. */
export async function belongsTo(userId: string, contractorId: string): Promise<boolean> {
  const isMembership = and(eq(userContractors.userId, userId), eq(userContractors.contractorId, contractorId))
  return (await db().$count(userContractors, isMembership)) > 0
}

/**
 * Moves pictures of other contractors that a contractor's values name now to this contractor, and deletes those of its
 * own that they don't name.
 */
export async function moveFieldPictures(
  tx: Transaction,
  contractorId: string,
  sourceIds: string[],
  pictureIds: string[],
) {
  const isOwn = eq(fieldPictures.contractorId, contractorId)
  await tx
    .delete(fieldPictures)
    .where(pictureIds.length > 0 ? and(isOwn, notInArray(fieldPictures.id, pictureIds)) : isOwn)
  if (pictureIds.length > 0)
    await tx
      .update(fieldPictures)
      .set({ contractorId })
      .where(and(inArray(fieldPictures.contractorId, sourceIds), inArray(fieldPictures.id, pictureIds)))
}

/**
 * Deletes up to `limit` pictures from before a time that the values of their owners don't name, if it is their turn.
 * Returns how many.
 */
export async function removeLostPictures(before: Date, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db().execute(sql`
    delete from ${fieldPictures} where ${fieldPictures.id} = any(array(
      select p.id from field_pictures p
      left join users u on u.id = p.user_id
      left join contractors c on c.id = p.contractor_id
      where ${hasTurn(sql`p.id`, now)} and p.created_at < ${before.toISOString()}
        and coalesce(u.values, c.values) -> p.code is distinct from to_jsonb(p.id::text)
      limit ${limit}))`)
  return rowCount ?? 0
}
