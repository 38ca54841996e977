import { db } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { lockOwnAccount } from '@/lib/accounts/users/own'
import { storePersonal } from '@/lib/accounts/users/personal'
import { isOwnAccountEditable } from '@/lib/accounts/users/service'
import { audit } from '@/lib/base/audit/audit'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { encodeWhole } from '@/lib/base/pictures/encode'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { requirePictureField, storeFieldPicture } from '@/lib/fields/field-pictures/service'
import { type historyName, storedUnder } from '@/lib/fields/values/definition'
import { blocksOf, recordedValues, withChanges } from '@/lib/fields/values/values'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'
import { ownFields } from './fields'

type Picture = { small: Buffer; large: Buffer }

const ownPictureField = async (code: string, empties: boolean) =>
  requirePictureField(await ownFields(), code, { flags: ({ profile }) => profile, empties })

/**
 * Stores or removes the picture of a field of the own account, which makes an audit event. Returns the new id; null
 * after a removal.
 */
async function storePicture(ctx: Ctx, userId: string, code: string, picture: Picture | null): Promise<string | null> {
  const field = await ownPictureField(code, picture === null)
  const { fileId, refreshed } = await db().transaction(async (tx) => {
    const { values: before } = await lockOwnAccount(tx, userId)
    if (!picture && storedUnder(before, code) === undefined) throw notFound()
    const id = await storeFieldPicture(tx, ctx, { userId }, { code, picture })
    const values = withChanges(before, { [code]: id })
    await audit<(typeof userEntity)['fields'], ReturnType<typeof historyName>>(
      tx,
      ctx,
      userEntity,
      userId,
      recordedValues(before, [code]),
      recordedValues(values, [code]),
      { subtype: blocksOf([field]) },
    )
    await storePersonal(tx, userId, { values })
    return { fileId: id, refreshed: await invalidateSessions(tx, userId, ctx.now()) }
  })
  await refreshed()
  return fileId
}

/**
 * Replaces the picture in a field of the own profile; the file is drawn anew (ADR 57). Throws 401, 404 for a field that
 * isn't a picture, 400 errorReadOnly, 400 with the fault of the file, 403 profileReadOnly, 413, 415, and 503 while too
 * many pictures wait.
 */
export async function patchProfilePicture(
  ctx: Ctx,
  { params: { code }, body }: ServiceInput<typeof calls.patchProfilePicture>,
) {
  requireUser(ctx)
  const { id } = ctx.user
  await ownPictureField(code, false)
  if (!(await isOwnAccountEditable(id))) throw new AppError(403, 'profileReadOnly')
  const fileId = await storePicture(ctx, id, code, await encodeWhole(await body.file.bytes()))
  return { fileId: fileId as string }
}

/**
 * Removes the picture in a field of the own profile. Throws 401, 404 for a field that isn't a picture or is empty, 400
 * errorReadOnly, 400 errorEmpty for a required one, 403 profileReadOnly.
 */
export async function deleteProfilePicture(
  ctx: Ctx,
  { params: { code } }: ServiceInput<typeof calls.deleteProfilePicture>,
) {
  requireUser(ctx)
  await storePicture(ctx, ctx.user.id, code, null)
  return {}
}
