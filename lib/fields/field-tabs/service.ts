import { audit } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError } from '@/lib/base/runtime/errors'
import { codesLike, latinCode } from '@/lib/base/text/latin-code'
import { dynamicFieldTabEntity } from '../dynamic-fields/entity'
import { ownerOf, shippedError } from '../dynamic-fields/service'
import type * as calls from './contract'
import { hasBlocks, insertTab, lockTab, tabRows } from './queries'

const idLike = (type: string, title: string) => `${type}_${latinCode(title, 'tab')}`.replaceAll('-', '_')

/**
 * Creates a tab; returns its id. `givenId` is the id that it has on another platform; by default it is made from the
 * title. Needs dynamic-fields.write. Throws 404 for the type, and 409 if the id is taken.
 */
export async function createFieldTab(
  ctx: Ctx,
  { params, body }: ServiceInput<typeof calls.createFieldTab>,
  givenId?: string,
) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  return changing('dynamic-fields', async (tx) => {
    for (const id of givenId ? [givenId] : codesLike(idLike(type, body.title))) {
      const tab = { id, type, title: body.title, titleEn: body.titleEn || null }
      if (!(await insertTab(tx, tab))) continue
      const values = recorded(dynamicFieldTabEntity, { ...tab, active: true })
      await audit(tx, ctx, dynamicFieldTabEntity, id, null, values)
      return { id }
    }
    throw new AppError(409)
  })
}

/** Renames a tab. Needs dynamic-fields.write. Throws 404, and 409 for an old version. */
export async function updateFieldTab(ctx: Ctx, { params, body }: ServiceInput<typeof calls.updateFieldTab>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changing('dynamic-fields', async (tx) => {
    const row = await lockTab(tx, type, params.tab)
    const before = await requireVersion(tx, ctx, dynamicFieldTabEntity, {
      id: params.tab,
      row,
      updatedAt: body.updatedAt,
    })
    const names = { title: body.title, titleEn: body.titleEn || null }
    const auditedBefore = recorded(dynamicFieldTabEntity, before)
    if (await audit(tx, ctx, dynamicFieldTabEntity, params.tab, auditedBefore, { ...auditedBefore, ...names }))
      await tabRows.update(tx, params.tab, names)
  })
  return {}
}

/**
 * Deletes a tab without blocks. Needs dynamic-fields.write. Throws 404, and 409 for a shipped one and one with blocks.
 */
export async function deleteFieldTab(ctx: Ctx, { params }: ServiceInput<typeof calls.deleteFieldTab>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changing('dynamic-fields', async (tx) => {
    const before = requireUnchanged(await lockTab(tx, type, params.tab))
    if (before.systemic) throw shippedError()
    // the database would delete the blocks with their tab
    if (await hasBlocks(tx, params.tab)) throw new AppError(409, 'tabUsed')
    await tabRows.remove(tx, params.tab)
    await audit(tx, ctx, dynamicFieldTabEntity, params.tab, recorded(dynamicFieldTabEntity, before), null)
  })
  return {}
}
