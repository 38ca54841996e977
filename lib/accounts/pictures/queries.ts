import { eq } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { userPictures } from '@/db/schema/pictures'
import type { PictureSize } from '@/lib/base/pictures/encode'

/** Stores a person's picture under a new id, in place of the one before. */
export async function storePicture(
  tx: Transaction,
  row: Omit<typeof userPictures.$inferInsert, 'createdAt'>,
  now: Date,
) {
  const values = { ...row, createdAt: now }
  await tx.insert(userPictures).values(values).onConflictDoUpdate({ target: userPictures.userId, set: values })
}

export const removePicture = (tx: Transaction, userId: string) =>
  tx.delete(userPictures).where(eq(userPictures.userId, userId))

/** Returns the id of a person's picture; null without one. */
export async function selectPictureId(userId: string, database: Transaction | ReturnType<typeof db> = db()) {
  const [row] = await database.select({ id: userPictures.id }).from(userPictures).where(eq(userPictures.userId, userId))
  return row?.id ?? null
}

/** Returns the bytes of a picture; null for an unknown id. */
export async function selectPictureBytes(id: string, size: PictureSize) {
  const [row] = await db().select({ bytes: userPictures[size] }).from(userPictures).where(eq(userPictures.id, id))
  return row?.bytes ?? null
}
