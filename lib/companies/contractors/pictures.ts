import { db } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { encodeWhole } from '@/lib/base/pictures/encode'
import { notFound } from '@/lib/base/runtime/errors'
import { requirePictureField, storeFieldPicture } from '@/lib/fields/field-pictures/service'
import { storedUnder } from '@/lib/fields/values/definition'
import { contractorFields } from '@/lib/fields/values/service'
import { recordedValues, withChanges } from '@/lib/fields/values/values'
import type * as calls from './contract'
import { contractorEntity } from './entity'
import { lockContractors, selectContractor, storeContractor } from './queries'

type Picture = { small: Buffer; large: Buffer }

const requireField = async (code: string, empties: boolean) =>
  requirePictureField(await contractorFields(), code, { flags: ({ admin }) => admin, empties })

/** Writes the picture of a contractor's field and records it. Returns the new id; null after a removal. */
const write = (ctx: Ctx, contractorId: string, code: string, picture: Picture | null) =>
  db().transaction(async (tx) => {
    const [row] = await lockContractors(tx, [contractorId])
    if (!row || (!picture && storedUnder(row.values, code) === undefined)) throw notFound()
    const id = await storeFieldPicture(tx, ctx, { contractorId }, { code, picture })
    const values = withChanges(row.values, { [code]: id })
    const [before, after] = [recordedValues(row.values, [code]), recordedValues(values, [code])]
    await audit(tx, ctx, contractorEntity, contractorId, before, after)
    await storeContractor(tx, contractorId, { values })
    return id
  })

/**
 * Replaces the picture in a field of a contractor; the file is drawn anew (ADR 57). Needs contractors.write. Throws 404
 * for an unknown contractor and a field that is none, 400 errorReadOnly, 400 with the fault of the file, 413, 415, 503.
 */
export async function patchContractorPicture(
  ctx: Ctx,
  { params: { id, code }, body }: ServiceInput<typeof calls.patchContractorPicture>,
) {
  requireMethod(ctx, 'contractors.write')
  await requireField(code, false)
  if (!(await selectContractor(id))) throw notFound()
  return { fileId: (await write(ctx, id, code, await encodeWhole(await body.file.bytes()))) as string }
}

/**
 * Removes the picture in a field of a contractor. Needs contractors.write. Throws 404 for an unknown contractor and a
 * field that is none or empty, 400 errorReadOnly, and 400 errorEmpty for a required one.
 */
export async function deleteContractorPicture(
  ctx: Ctx,
  { params: { id, code } }: ServiceInput<typeof calls.deleteContractorPicture>,
) {
  requireMethod(ctx, 'contractors.write')
  await requireField(code, true)
  await write(ctx, id, code, null)
  return {}
}
