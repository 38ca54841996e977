import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import type { PictureSize } from '@/lib/base/pictures/encode'
import { notFound } from '@/lib/base/runtime/errors'
import { userEntity } from '../users/entity'
import * as queries from './queries'

/**
 * Stores an encoded picture of a person whose account the transaction has locked, or removes it (null), and records an
 * audit event. Returns the new picture's id; null if there is none now.
 */
export async function changePicture(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  picture: { small: Buffer; large: Buffer } | null,
): Promise<string | null> {
  const before = await queries.selectPictureId(userId, tx)
  const id = picture ? randomUUID() : null
  if (picture && id) await queries.storePicture(tx, { id, userId, ...picture }, ctx.now())
  else await queries.removePicture(tx, userId)
  await audit(tx, ctx, userEntity, userId, { picture: before }, { picture: id })
  return id
}

/** Returns the id of a person's picture; null without one. */
export const pictureOf = (userId: string, tx?: Transaction): Promise<string | null> =>
  queries.selectPictureId(userId, tx)

/** Returns the WebP bytes of a picture. Throws 404 for an unknown id. */
export async function pictureBytes(id: string, size: PictureSize): Promise<Buffer> {
  const bytes = await queries.selectPictureBytes(id, size)
  if (!bytes) throw notFound()
  return bytes
}
