import { db } from '@/db/client'
import { changePicture, pictureBytes, pictureOf } from '@/lib/accounts/pictures/service'
import { lockOwnAccount } from '@/lib/accounts/users/own'
import { isOwnAccountEditable } from '@/lib/accounts/users/service'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { type Crop, encodePicture } from '@/lib/base/pictures/encode'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'

/** Returns the id of the signed-in person's picture. Throws 401. */
export async function getAvatar(ctx: Ctx) {
  requireUser(ctx)
  return { fileId: await pictureOf(ctx.user.id) }
}

type Form = ServiceInput<typeof calls.patchAvatar>['body']

function cropOf({ left, top, size }: Form): Crop | undefined {
  if (left === undefined && top === undefined && size === undefined) return undefined
  if (left === undefined || top === undefined || size === undefined) throw fieldError('size', 'errorRange')
  return { left, top, size }
}

/** Stores or removes the picture of the signed-in person, and refreshes their pages. Returns the new id. */
async function storePicture(ctx: Ctx, userId: string, picture: { small: Buffer; large: Buffer } | null) {
  const { fileId, refreshed } = await db().transaction(async (tx) => {
    await lockOwnAccount(tx, userId)
    if (!picture && !(await pictureOf(userId, tx))) throw notFound()
    const id = await changePicture(tx, ctx, userId, picture)
    return { fileId: id, refreshed: await invalidateSessions(tx, userId, ctx.now()) }
  })
  await refreshed()
  return fileId
}

/**
 * Replaces the picture of the signed-in person: the file is drawn anew, so only its visible part is stored. Throws 401,
 * 400 with the fault of the file or of the crop, 403 profileReadOnly, 413, 415, and 503 while too many pictures wait.
 */
export async function patchAvatar(ctx: Ctx, { body }: ServiceInput<typeof calls.patchAvatar>) {
  requireUser(ctx)
  const { id } = ctx.user
  if (!(await isOwnAccountEditable(id))) throw new AppError(403, 'profileReadOnly')
  const crop = cropOf(body)
  const fileId = await storePicture(ctx, id, await encodePicture(await body.file.bytes(), crop))
  return { fileId: fileId as string }
}

/** Removes the picture of the signed-in person. Throws 401, 403 profileReadOnly, 404 without one. */
export async function deleteAvatar(ctx: Ctx) {
  requireUser(ctx)
  await storePicture(ctx, ctx.user.id, null)
  return {}
}

/** Returns a picture to everybody who has its id (ADR 42). Throws 404. */
export async function readAvatar(
  _: Ctx,
  { params: { fileId }, query: { size } }: ServiceInput<typeof calls.readAvatar>,
) {
  const bytes = await pictureBytes(fileId, size)
  return {
    name: 'avatar.webp',
    type: 'image/webp',
    size: bytes.byteLength,
    chunks: (async function* () {
      yield bytes
    })(),
  }
}
