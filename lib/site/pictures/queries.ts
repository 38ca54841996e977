import { eq } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { platformPictures } from '@/db/schema/platform'

export type Logo = Pick<typeof platformPictures.$inferSelect, 'type' | 'content'>

export async function insertPicture(tx: Transaction, logo: Logo, createdAt: Date): Promise<string> {
  const [row] = await tx
    .insert(platformPictures)
    .values({ ...logo, createdAt })
    .returning({ id: platformPictures.id })
  return row?.id as string
}

export const removePicture = (tx: Transaction, id: string) =>
  tx.delete(platformPictures).where(eq(platformPictures.id, id))

/** Returns a picture; undefined for an unknown id. */
export async function selectPicture(id: string): Promise<Logo | undefined> {
  const { type, content } = platformPictures
  const [row] = await db().select({ type, content }).from(platformPictures).where(eq(platformPictures.id, id))
  return row
}
