import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { audit, auditMany } from '@/lib/base/audit/audit'
import { changing, requireUnchanged } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { recorded } from '@/lib/base/audit/entity'
import { requireAnyMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { isSafePattern } from '@/lib/base/text/safe-pattern'
import { holdUniqueness } from '../values/unique'
import { changeUniqueness } from '../values/uniqueness'
import type * as calls from './contract'
import { type FieldInput, type FieldOwner, fieldOwners } from './contract'
import { dynamicFieldEntity, dynamicFieldTabEntity } from './entity'
import {
  countLacking,
  countValues,
  type FieldRow,
  hasShippedFields,
  hasValues,
  holdCodes,
  insertField,
  isCodeTaken,
  lockField,
  lockTabFields,
  lockTabs,
  nextFieldOrder,
  removeField,
  selectField,
  selectFieldPage,
  selectPersonnelActionTypes,
  selectSubtypes,
  selectTabFields,
  selectTabs,
  selectTypeCounts,
  setField,
  setTab,
} from './queries'
import { hasItems, isDeletable, isSwitchable, isWholeOrder, lockedChanges, savedAs, withImplied } from './rules'

const codeTaken = () => fieldError('code', 'errorUnique')
const broken = {
  dynamic_fields_type_code: codeTaken,
  dynamic_fields_subtype: () => fieldError('subtype', 'errorOption'),
}

/** Runs a change of fields or tabs; every process reads the definitions anew after it. */
const change = <T>(work: (tx: Transaction) => Promise<T>) => onBroken(broken, () => changing('dynamic-fields', work))

/** What the platform ships can't be taken away. */
export const shipped = () => new AppError(409, 'fieldSystemic')

/** Returns a type from a path. Throws 404 for another one. */
export function ownerOf(type: string): FieldOwner {
  const found = fieldOwners.find((owner) => owner === type)
  if (!found) throw notFound()
  return found
}

const shownTab = (tab: Awaited<ReturnType<typeof selectTabs>>[number]) => ({
  ...tab,
  updatedAt: tab.updatedAt.toISOString(),
})

const itemsOf = (items: FieldRow['items']) =>
  items
    .toSorted((one, other) => one.order - other.order)
    .map(({ id, code, value, valueEn = '' }, order) => ({ id, code, value, valueEn, order }))

const shownField = (row: FieldRow) => ({
  ...row,
  items: itemsOf(row.items),
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns what has fields, with the number of its tabs and fields. Needs dynamic-fields.read. */
export async function listFieldTypes(ctx: Ctx) {
  requireMethod(ctx, 'dynamic-fields.read')
  const { tabs, fields } = await selectTypeCounts()
  const of = (rows: typeof tabs, id: FieldOwner) => rows.find(({ type }) => type === id)?.count ?? 0
  return { types: fieldOwners.map((id) => ({ id, tabs: of(tabs, id), fields: of(fields, id) })) }
}

/** Returns the tabs of a type. Needs dynamic-fields.read. Throws 404. */
export async function listFieldTabs(ctx: Ctx, { params }: ServiceInput<typeof calls.listFieldTabs>) {
  requireMethod(ctx, 'dynamic-fields.read')
  return { tabs: (await selectTabs(ownerOf(params.type))).map(shownTab) }
}

/** Returns a tab with its subtypes and fields. Needs dynamic-fields.read. Throws 404. */
export async function readFieldTab(ctx: Ctx, { params }: ServiceInput<typeof calls.readFieldTab>) {
  requireMethod(ctx, 'dynamic-fields.read')
  const type = ownerOf(params.type)
  const [tabs, subtypes, fields] = await Promise.all([
    selectTabs(type),
    selectSubtypes(type, params.tab),
    selectTabFields(type, params.tab),
  ])
  const tab = tabs.find(({ id }) => id === params.tab)
  if (!tab) throw notFound()
  const shown = subtypes.map(({ type: _, tabId, ...subtype }) => ({
    ...subtype,
    id: subtype.code,
    tab: tabId,
    updatedAt: subtype.updatedAt.toISOString(),
    fields: fields.filter((field) => field.subtype === subtype.code).map(shownField),
  }))
  return { tab: { ...shownTab(tab), subtypes: shown } }
}

/**
 * Shows a tab or hides it. Needs dynamic-fields.write. Throws 404, 409 for an old version, and 409 fieldSystemic for one
 * with shipped fields.
 */
export async function activateFieldTab(ctx: Ctx, { params, body }: ServiceInput<typeof calls.activateFieldTab>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await change(async (tx) => {
    const tabs = await lockTabs(tx, type)
    const { active } = requireUnchanged(
      tabs.find(({ id }) => id === params.tab),
      body.updatedAt,
    )
    if (!body.active && (await hasShippedFields(tx, type, { tab: params.tab }))) throw shipped()
    if (await audit(tx, ctx, dynamicFieldTabEntity, params.tab, { active }, { active: body.active }))
      await setTab(tx, params.tab, { active: body.active })
  })
  return {}
}

type Order = { id: string; order: number }[]

/** Returns the new place of each row that moves. Throws 409 unless the order names each row once. */
function movesOf(rows: readonly { id: string; order: number }[], order: Order) {
  const ids = rows.map(({ id }) => id)
  if (!isWholeOrder(ids, order)) throw new AppError(409)
  const wanted = order.toSorted((one, other) => one.order - other.order)
  return wanted.flatMap(({ id }, place) => {
    const before = rows.find((row) => row.id === id)?.order ?? 0
    return before === place ? [] : [{ id, before: { order: before }, after: { order: place } }]
  })
}

/** Orders the tabs of a type. Needs dynamic-fields.write. Throws 404, and 409 unless each tab is named once. */
export async function orderFieldTabs(ctx: Ctx, { params, body }: ServiceInput<typeof calls.orderFieldTabs>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await change(async (tx) => {
    const moves = movesOf(await lockTabs(tx, type), body.order)
    for (const { id, after } of moves) await setTab(tx, id, after)
    await auditMany(tx, ctx, dynamicFieldTabEntity, moves)
  })
  return {}
}

/** Orders the fields of a tab. Needs dynamic-fields.write. Throws 404, and 409 unless each field is named once. */
export async function orderFields(ctx: Ctx, { params, body }: ServiceInput<typeof calls.orderFields>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await change(async (tx) => {
    if (!(await selectTabs(type, tx)).some(({ id }) => id === params.tab)) throw notFound()
    const moves = movesOf(await lockTabFields(tx, type, params.tab), body.order)
    for (const { id, after } of moves) await setField(tx, id, after)
    await auditMany(tx, ctx, dynamicFieldEntity, moves)
  })
  return {}
}

/** Returns one page of fields of every type, each with its tab. Needs dynamic-fields.read. */
export async function listDynamicFields(ctx: Ctx, { query }: ServiceInput<typeof calls.listDynamicFields>) {
  requireMethod(ctx, 'dynamic-fields.read')
  const { rows, meta } = await selectFieldPage(query, ctx.user?.pagination ?? null, ctx.locale)
  return { fields: rows, meta }
}

/** Returns a field with the number of its values and of people who lack one. Needs dynamic-fields.read. Throws 404. */
export async function readDynamicField(ctx: Ctx, { params }: ServiceInput<typeof calls.readDynamicField>) {
  requireMethod(ctx, 'dynamic-fields.read')
  const row = await selectField(ownerOf(params.type), params.id)
  if (!row) throw notFound()
  const [valueCount, lackingCount] = await Promise.all([
    countValues(row.type, row.code),
    // a picture that is missing limits nothing
    row.type === 'contractors' || row.fieldType === 'picture' ? null : countLacking(row),
  ])
  return { field: { ...shownField(row), valueCount, lackingCount } }
}

/** Returns a definition as it is stored. Throws 400 for a pattern that isn't safe, unless it is the one `before`. */
function storedAs({ items, titleEn, ...input }: FieldInput, before: string | null = null) {
  if (input.pattern !== null && input.pattern !== '' && input.pattern !== before && !isSafePattern(input.pattern))
    throw fieldError('pattern', 'errorPattern')
  return {
    ...input,
    pattern: input.pattern || null,
    titleEn: titleEn || null,
    items: items.map((item, order) => ({ ...item, id: item.id ?? randomUUID(), order })),
  }
}

const requireItems = (field: Parameters<typeof hasItems>[0] & { items: unknown[] }) => {
  if (hasItems(field) && field.items.length === 0) throw fieldError('items', 'errorEmpty')
}

/**
 * Defines a field; returns its id. Needs dynamic-fields.write. Throws 400 for a code that is taken, an unknown subtype,
 * and older values under the code that a unique field can't have.
 */
export async function createDynamicField(ctx: Ctx, { body }: ServiceInput<typeof calls.createDynamicField>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const { type, ...input } = body
  const { unique, ...values } = withImplied(storedAs(input))
  requireItems(values)
  const id = randomUUID()
  await change(async (tx) => {
    if (unique) await holdUniqueness(tx, { change: true })
    await holdCodes(tx)
    if (await isCodeTaken(tx, type, values.code, id)) throw codeTaken()
    const row = { ...values, id, type, order: await nextFieldOrder(tx, type) }
    await insertField(tx, { ...row, unique: false })
    if (unique) await changeUniqueness(tx, ctx, id, true)
    await audit(tx, ctx, dynamicFieldEntity, id, null, recorded(dynamicFieldEntity, { ...row, unique }))
  })
  return { id }
}

/**
 * Replaces a definition; stored values stay as they are. Needs dynamic-fields.write. Throws 404, 409 for an old version,
 * and 400 for what is locked, a code that is taken or has values, an unknown subtype, and values that can't be unique.
 */
export async function updateDynamicField(ctx: Ctx, { params, body }: ServiceInput<typeof calls.updateDynamicField>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const { id } = params
  const type = ownerOf(params.type)
  const { updatedAt, ...input } = body
  await change(async (tx) => {
    const now = await selectField(type, id, tx)
    const turns = (row: FieldRow) => row.unique !== body.unique || (row.unique && row.code !== body.code)
    // whoever writes values holds this lock first and the field afterwards
    const held = now !== undefined && turns(now)
    if (held) await holdUniqueness(tx, { change: true })
    await holdCodes(tx)
    const row = await lockField(tx, type, id)
    const kept = { read: 'dynamic-fields.read', id, row, updatedAt } as const
    const before = await requireVersion(tx, ctx, dynamicFieldEntity, kept)
    if (turns(before) && !held) throw new AppError(409)
    const was = { ...before, items: itemsOf(before.items) }
    const after = savedAs(was, storedAs(input, was.pattern))
    await requireAllowed(tx, was, after)
    const values = recorded(dynamicFieldEntity, { ...was, ...after })
    if (!(await audit(tx, ctx, dynamicFieldEntity, id, recorded(dynamicFieldEntity, was), values))) return
    const { unique, ...rest } = after
    const recoded = was.code !== after.code
    if (was.unique && (!unique || recoded)) await changeUniqueness(tx, ctx, id, false)
    await setField(tx, id, rest)
    if (unique && (!was.unique || recoded)) await changeUniqueness(tx, ctx, id, true)
  })
  return {}
}

type Stored = ReturnType<typeof storedAs>

async function requireAllowed(tx: Transaction, before: FieldRow, after: Stored) {
  const items = before.items.map((item) => ({ ...item, valueEn: item.valueEn ?? '' }))
  const locked = lockedChanges({ ...before, items }, after)
  // switching a shipped field off is a change of its activity, which it doesn't have
  if (before.systemic && !after.active) locked.push('active')
  const errorList = [...new Set(locked)].map((field) => ({ field, code: 'errorFieldLocked' }))
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  // the languages of the domain are the items of the account's own language
  if (!before.systemic) requireItems(after)
  if (before.code === after.code) return
  if (await isCodeTaken(tx, before.type, after.code, before.id)) throw codeTaken()
  if (await hasValues(tx, before.type, before.code)) throw fieldError('code', 'errorFieldHasValues')
}

/** Shows a field or hides it. Needs dynamic-fields.write. Throws 404, 409, and 409 fieldSystemic for one that stays. */
export async function activateDynamicField(
  ctx: Ctx,
  { params, body }: ServiceInput<typeof calls.activateDynamicField>,
) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await change(async (tx) => {
    const field = requireUnchanged(await lockField(tx, type, params.id), body.updatedAt)
    if (!isSwitchable(field, body.active)) throw shipped()
    const { active } = field
    if (await audit(tx, ctx, dynamicFieldEntity, params.id, { active }, { active: body.active }))
      await setField(tx, params.id, { active: body.active })
  })
  return {}
}

/** Deletes a definition and leaves its values. Needs dynamic-fields.write. Throws 404, and 409 for one that stays. */
export async function deleteDynamicField(ctx: Ctx, { params }: ServiceInput<typeof calls.deleteDynamicField>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await change(async (tx) => {
    // nobody may take a unique value of it meanwhile
    await holdUniqueness(tx, { change: true })
    const before = requireUnchanged(await lockField(tx, type, params.id))
    if (!isDeletable(before)) throw shipped()
    await removeField(tx, params.id)
    await audit(tx, ctx, dynamicFieldEntity, params.id, recorded(dynamicFieldEntity, before), null)
  })
  return {}
}

/** Returns types of personnel actions to choose from. Needs the read method of an area that offers them. */
export async function searchPersonnelActionTypes(
  ctx: Ctx,
  { query }: ServiceInput<typeof calls.searchPersonnelActionTypes>,
) {
  requireAnyMethod(ctx, ['dynamic-fields.read', 'users.read', 'integration.read'])
  return { types: await selectPersonnelActionTypes(query.searchValue, query.type !== undefined) }
}
