import type { Transaction } from '@/db/client'
import { audit, auditMany } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import type { FieldOwner, SubtypeInput } from './contract'
import { dynamicFieldSubtypeEntity } from './entity'
import {
  hasShippedFields,
  insertSubtype,
  isPersonnelActionType,
  lockSubtype,
  lockSubtypes,
  nextSubtypeOrder,
  removeSubtype,
  selectTabs,
  setSubtype,
} from './queries'
import { isWholeOrder } from './rules'
import { ownerOf, shipped } from './service'

const broken = {
  dynamic_field_subtypes_type_code: () => fieldError('code', 'errorUnique'),
  dynamic_fields_subtype: () => new AppError(409, 'subtypeUsed'),
  // somebody deleted the tab meanwhile
  dynamic_field_subtypes_tab_id_dynamic_field_tabs_id_fk: () => fieldError('tab', 'errorOption'),
}
const change = <T>(work: (tx: Transaction) => Promise<T>) => onBroken(broken, () => changing('dynamic-fields', work))

/** Codes are those of one type only, so the history names both. */
const recordedId = (type: FieldOwner, code: string) => `${type}/${code}`

async function storedAs(tx: Transaction, type: FieldOwner, { tab, titleEn, ...input }: SubtypeInput) {
  if (!(await selectTabs(type, tx)).some(({ id }) => id === tab)) throw fieldError('tab', 'errorOption')
  return { ...input, titleEn: titleEn || null, tabId: tab }
}

/**
 * Creates a subtype; returns its id, which is its code. Needs dynamic-fields.write. Throws 404 for the type, and 400 for a
 * code that is taken, an unknown tab, and a code that is no type of personnel actions where it must be one.
 */
export async function createSubtype(ctx: Ctx, { params, body }: ServiceInput<typeof calls.createSubtype>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await change(async (tx) => {
    const values = await storedAs(tx, type, body)
    if (type === 'personnel-actions' && !(await isPersonnelActionType(tx, body.code)))
      throw fieldError('code', 'errorOption')
    const row = { ...values, order: await nextSubtypeOrder(tx, type) }
    await insertSubtype(tx, { ...row, type })
    await audit(
      tx,
      ctx,
      dynamicFieldSubtypeEntity,
      recordedId(type, body.code),
      null,
      recorded(dynamicFieldSubtypeEntity, row),
    )
  })
  return { id: body.code }
}

/**
 * Replaces the subtype of a code. Needs dynamic-fields.write. Throws 404, 409 for an old version, 400 for an unknown tab,
 * and 409 fieldSystemic if shipped fields would be hidden or moved.
 */
export async function updateSubtype(ctx: Ctx, { params, body }: ServiceInput<typeof calls.updateSubtype>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  const { updatedAt, ...input } = body
  await change(async (tx) => {
    const row = await lockSubtype(tx, type, body.code)
    const id = recordedId(type, body.code)
    const before = await requireVersion(tx, ctx, dynamicFieldSubtypeEntity, {
      read: 'dynamic-fields.read',
      id,
      row,
      updatedAt,
    })
    const values = await storedAs(tx, type, input)
    const gone = !values.active || values.tabId !== before.tabId
    if (gone && (await hasShippedFields(tx, type, { subtype: body.code }))) throw shipped()
    if (
      await audit(
        tx,
        ctx,
        dynamicFieldSubtypeEntity,
        id,
        recorded(dynamicFieldSubtypeEntity, before),
        recorded(dynamicFieldSubtypeEntity, { ...before, ...values }),
      )
    )
      await setSubtype(tx, type, body.code, values)
  })
  return {}
}

/** Shows a subtype or hides it. Needs dynamic-fields.write. Throws 404, 409, and 409 fieldSystemic with shipped fields. */
export async function activateSubtype(ctx: Ctx, { params, body }: ServiceInput<typeof calls.activateSubtype>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await change(async (tx) => {
    const { active } = requireUnchanged(await lockSubtype(tx, type, params.id), body.updatedAt)
    if (!body.active && (await hasShippedFields(tx, type, { subtype: params.id }))) throw shipped()
    if (
      await audit(tx, ctx, dynamicFieldSubtypeEntity, recordedId(type, params.id), { active }, { active: body.active })
    )
      await setSubtype(tx, type, params.id, { active: body.active })
  })
  return {}
}

/** Deletes a subtype without fields. Needs dynamic-fields.write. Throws 404, and 409 for a shipped one and one with fields. */
export async function deleteSubtype(ctx: Ctx, { params }: ServiceInput<typeof calls.deleteSubtype>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await change(async (tx) => {
    const before = requireUnchanged(await lockSubtype(tx, type, params.id))
    if (before.systemic) throw shipped()
    await removeSubtype(tx, type, params.id)
    await audit(
      tx,
      ctx,
      dynamicFieldSubtypeEntity,
      recordedId(type, params.id),
      recorded(dynamicFieldSubtypeEntity, before),
      null,
    )
  })
  return {}
}

/**
 * Orders the subtypes of a tab, which only an import of a configuration does: on the screen they stand as they were made.
 * Needs dynamic-fields.write. Throws 404 for the type, and 409 unless each is named once.
 */
export async function orderSubtypes(
  ctx: Ctx,
  { params, body }: { params: { type: string; tab: string }; body: { order: readonly string[] } },
) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await change(async (tx) => {
    const rows = await lockSubtypes(tx, type, params.tab)
    const wanted = body.order.map((code) => ({ id: code }))
    if (
      !isWholeOrder(
        rows.map(({ code }) => code),
        wanted,
      )
    )
      throw new AppError(409)
    // they share their places with the subtypes of other tabs, so they only change places with one another
    const places = rows.map(({ order }) => order).toSorted((one, other) => one - other)
    const moves = body.order.flatMap((code, at) => {
      const before = rows.find((row) => row.code === code)?.order ?? 0
      const after = places[at] ?? 0
      return before === after ? [] : [{ code, before, after }]
    })
    for (const { code, after } of moves) await setSubtype(tx, type, code, { order: after })
    await auditMany(
      tx,
      ctx,
      dynamicFieldSubtypeEntity,
      moves.map(({ code, before, after }) => ({
        id: recordedId(type, code),
        before: { order: before },
        after: { order: after },
      })),
    )
  })
  return {}
}
