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
import { ownerOf, shippedError } from './service'

const constraintErrors = {
  dynamic_field_subtypes_type_code: () => fieldError('code', 'errorUnique'),
  dynamic_fields_subtype: () => new AppError(409, 'subtypeUsed'),
  // somebody deleted the tab meanwhile
  dynamic_field_subtypes_tab_id_dynamic_field_tabs_id_fk: () => fieldError('tab', 'errorOption'),
}
const changeDefinitions = <T>(work: (tx: Transaction) => Promise<T>) =>
  onBroken(constraintErrors, () => changing('dynamic-fields', work))

/** Returns the id of a subtype in audit events. A code is unique only within a type, so the id names both. */
const auditedId = (type: FieldOwner, code: string) => `${type}/${code}`

async function storedAs(tx: Transaction, type: FieldOwner, { tab, titleEn, ...input }: SubtypeInput) {
  if (!(await selectTabs(type, tx)).some(({ id }) => id === tab)) throw fieldError('tab', 'errorOption')
  return { ...input, titleEn: titleEn || null, tabId: tab }
}

/**
 * Creates a subtype; returns its id, which is its code. Needs dynamic-fields.write. Throws 404 for the type, and 400
 * for a code that is taken, an unknown tab, and a code that is no type of personnel actions where it must be one.
 */
export async function createSubtype(ctx: Ctx, { params, body }: ServiceInput<typeof calls.createSubtype>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changeDefinitions(async (tx) => {
    const values = await storedAs(tx, type, body)
    if (type === 'personnel-actions' && !(await isPersonnelActionType(tx, body.code)))
      throw fieldError('code', 'errorOption')
    const row = { ...values, order: await nextSubtypeOrder(tx, type) }
    await insertSubtype(tx, { ...row, type })
    await audit(
      tx,
      ctx,
      dynamicFieldSubtypeEntity,
      auditedId(type, body.code),
      null,
      recorded(dynamicFieldSubtypeEntity, row),
    )
  })
  return { id: body.code }
}

/**
 * Replaces the subtype of a code. Needs dynamic-fields.write. Throws 404, 409 for an old version, 400 for an unknown
 * tab, and 409 fieldSystemic if shipped fields would be hidden or moved.
 */
export async function updateSubtype(ctx: Ctx, { params, body }: ServiceInput<typeof calls.updateSubtype>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  const { updatedAt, ...input } = body
  await changeDefinitions(async (tx) => {
    const row = await lockSubtype(tx, type, body.code)
    const id = auditedId(type, body.code)
    const before = await requireVersion(tx, ctx, dynamicFieldSubtypeEntity, { id, row, updatedAt })
    const values = await storedAs(tx, type, input)
    const leavesTab = !values.active || values.tabId !== before.tabId
    if (leavesTab && (await hasShippedFields(tx, type, { subtype: body.code }))) throw shippedError()
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

/**
 * Shows or hides a subtype. Needs dynamic-fields.write. Throws 404, 409, and 409 fieldSystemic for one with shipped
 * fields.
 */
export async function activateSubtype(ctx: Ctx, { params, body }: ServiceInput<typeof calls.activateSubtype>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changeDefinitions(async (tx) => {
    const { active } = requireUnchanged(await lockSubtype(tx, type, params.id), body.updatedAt)
    if (!body.active && (await hasShippedFields(tx, type, { subtype: params.id }))) throw shippedError()
    if (
      await audit(tx, ctx, dynamicFieldSubtypeEntity, auditedId(type, params.id), { active }, { active: body.active })
    )
      await setSubtype(tx, type, params.id, { active: body.active })
  })
  return {}
}

/**
 * Deletes a subtype without fields. Needs dynamic-fields.write. Throws 404, and 409 for a shipped one and one with
 * fields.
 */
export async function deleteSubtype(ctx: Ctx, { params }: ServiceInput<typeof calls.deleteSubtype>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changeDefinitions(async (tx) => {
    const before = requireUnchanged(await lockSubtype(tx, type, params.id))
    if (before.systemic) throw shippedError()
    await removeSubtype(tx, type, params.id)
    await audit(
      tx,
      ctx,
      dynamicFieldSubtypeEntity,
      auditedId(type, params.id),
      recorded(dynamicFieldSubtypeEntity, before),
      null,
    )
  })
  return {}
}

/**
 * Orders the subtypes of a tab. Only an import of a configuration does this: the screen shows them in the order of
 * their creation. Needs dynamic-fields.write. Throws 404 for the type, and 409 unless each is named once.
 */
export async function orderSubtypes(
  ctx: Ctx,
  { params, body }: { params: { type: string; tab: string }; body: { order: readonly string[] } },
) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changeDefinitions(async (tx) => {
    const rows = await lockSubtypes(tx, type, params.tab)
    const newOrder = body.order.map((code) => ({ id: code }))
    if (
      !isWholeOrder(
        rows.map(({ code }) => code),
        newOrder,
      )
    )
      throw new AppError(409)
    // subtypes of all tabs share one order, so those of this tab only exchange their places
    const places = rows.map(({ order }) => order).toSorted((a, b) => a - b)
    const moves = body.order.flatMap((code, index) => {
      const before = rows.find((row) => row.code === code)?.order ?? 0
      const after = places[index] ?? 0
      return before === after ? [] : [{ code, before, after }]
    })
    for (const { code, after } of moves) await setSubtype(tx, type, code, { order: after })
    await auditMany(
      tx,
      ctx,
      dynamicFieldSubtypeEntity,
      moves.map(({ code, before, after }) => ({
        id: auditedId(type, code),
        before: { order: before },
        after: { order: after },
      })),
    )
  })
  return {}
}
