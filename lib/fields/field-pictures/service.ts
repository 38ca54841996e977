import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { holdsMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { inBatches } from '@/lib/base/postgres/batches'
import { fieldError, notFound } from '@/lib/base/runtime/errors'
import type { Definition } from '../values/definition'
import { contractorFields, peopleFields } from '../values/service'
import { pictureIn } from './address'
import type * as calls from './contract'
import * as queries from './queries'

type Flags = { visible: boolean; edit: boolean; required: boolean }

/**
 * Returns the field of the type `picture` with this code, for a change by these flags. Throws 404 for one that is
 * unknown, hidden or of another type, 400 errorReadOnly for one that the caller may not edit, and 400 errorEmpty if a
 * required one would become empty.
 */
export function requirePictureField(
  fields: readonly Definition[],
  code: string,
  { flags, empties }: { flags: (field: Definition) => Flags; empties: boolean },
): Definition {
  const field = fields.find((definition) => definition.code === code && definition.fieldType === 'picture')
  if (!field) throw notFound()
  const { visible, edit, required } = flags(field)
  if (!(visible || required)) throw notFound()
  if (!edit) throw fieldError('code', 'errorReadOnly')
  if (empties && required) throw fieldError('code', 'errorEmpty')
  return field
}

/**
 * Stores the picture of a field of a locked owner in place of the previous one, or removes it (null). Returns its id,
 * or null; the caller stores it among the owner's values and records the audit event.
 */
export async function storeFieldPicture(
  tx: Transaction,
  ctx: Pick<Ctx, 'now'>,
  owner: queries.PictureOwner,
  { code, picture }: { code: string; picture: { small: Buffer; large: Buffer } | null },
): Promise<string | null> {
  await queries.removeFieldPicture(tx, owner, code)
  if (!picture) return null
  const id = randomUUID()
  await queries.insertFieldPicture(tx, { id, code, ...owner, ...picture, createdAt: ctx.now() })
  return id
}

/**
 * Gives a contractor the pictures that its values name after a merge with others. Call it before the others are
 * deleted.
 */
export const keepMergedPictures = (
  tx: Transaction,
  contractorId: string,
  { from, values }: { from: string[]; values: Readonly<Record<string, unknown>> },
) =>
  queries.moveFieldPictures(
    tx,
    contractorId,
    from,
    Object.values(values).flatMap((value) => pictureIn(value) ?? []),
  )

/**
 * Returns whether the caller may see the field of a picture: the person in their profile, a contractor's people, and
 * administrators may.
 */
async function mayRead(ctx: Ctx, picture: NonNullable<Awaited<ReturnType<typeof queries.selectPictureOwner>>>) {
  const { code, userId, contractorId } = picture
  const fields = userId ? await peopleFields() : await contractorFields()
  const field = fields.find((definition) => definition.code === code && definition.fieldType === 'picture')
  if (!field || !ctx.user) return false
  const { admin, profile } = field
  if ((admin.visible || admin.required) && holdsMethod(ctx, userId ? 'users.read' : 'contractors.read')) return true
  if (!profile.visible) return false
  return userId ? userId === ctx.user.id : queries.belongsTo(ctx.user.id, contractorId ?? '')
}

/**
 * Returns the picture of a field to people who may see the field (docs/rules/people.md#pictures). Throws 401, and 404
 * for everybody else and for an unknown id.
 */
export async function readFieldPicture(
  ctx: Ctx,
  { params: { fileId }, query: { size } }: ServiceInput<typeof calls.readFieldPicture>,
) {
  requireUser(ctx)
  const picture = await queries.selectPictureOwner(fileId.toLowerCase())
  if (!picture || !(await mayRead(ctx, picture))) throw notFound()
  const bytes = await queries.selectFieldPicture(fileId, size)
  if (!bytes) throw notFound()
  return {
    name: 'picture.webp',
    type: 'image/webp',
    size: bytes.byteLength,
    chunks: (async function* () {
      yield bytes
    })(),
  }
}

/**
 * Deletes the pictures that nobody can open any more, such as those of a field that has become a text: each at least an
 * hour after its upload and when its turn of the day has come.
 */
export const tidyFieldPictures = (now: Date): Promise<void> =>
  inBatches((limit) => queries.removeLostPictures(new Date(now.getTime() - 3_600_000), now, limit))
