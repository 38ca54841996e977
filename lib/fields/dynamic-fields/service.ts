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
  fieldRows,
  hasShippedFields,
  hasValues,
  holdCodes,
  isCodeTaken,
  lockField,
  lockTabFields,
  lockTabs,
  nextFieldOrder,
  selectField,
  selectFieldPage,
  selectPersonnelActionTypes,
  selectSubtypes,
  selectTabFields,
  selectTabs,
  selectTypeCounts,
  setTab,
} from './queries'
import { hasItems, isDeletable, isSwitchable, isWholeOrder, lockedChanges, savedAs, withImplied } from './rules'

const codeTaken = () => fieldError('code', 'errorUnique')
const constraintErrors = {
  dynamic_fields_type_code: codeTaken,
  dynamic_fields_subtype: () => fieldError('subtype', 'errorOption'),
}

/** Runs a change of fields or tabs, after which every process reads the definitions anew. */
const changeDefinitions = <T>(work: (tx: Transaction) => Promise<T>) =>
  onBroken(constraintErrors, () => changing('dynamic-fields', work))

/** Returns the error for the removal of what the platform ships. */
export const shippedError = () => new AppError(409, 'fieldSystemic')

/** Returns the type that a path names. Throws 404 for an unknown one. */
export function ownerOf(type: string): FieldOwner {
  const fieldOwner = fieldOwners.find((owner) => owner === type)
  if (!fieldOwner) throw notFound()
  return fieldOwner
}

const tabAnswer = (tab: Awaited<ReturnType<typeof selectTabs>>[number]) => ({
  ...tab,
  updatedAt: tab.updatedAt.toISOString(),
})

const itemsOf = (items: FieldRow['items']) =>
  items
    .toSorted((a, b) => a.order - b.order)
    .map(({ id, code, value, valueEn = '' }, order) => ({ id, code, value, valueEn, order }))

const fieldAnswer = (row: FieldRow) => ({
  ...row,
  items: itemsOf(row.items),
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns the types of owners of fields, with the number of tabs and fields of each. Needs dynamic-fields.read. */
export async function listFieldTypes(ctx: Ctx) {
  requireMethod(ctx, 'dynamic-fields.read')
  const { tabs, fields } = await selectTypeCounts()
  const countOf = (rows: typeof tabs, id: FieldOwner) => rows.find(({ type }) => type === id)?.count ?? 0
  return { types: fieldOwners.map((id) => ({ id, tabs: countOf(tabs, id), fields: countOf(fields, id) })) }
}

/** Returns the tabs of a type. Needs dynamic-fields.read. Throws 404. */
export async function listFieldTabs(ctx: Ctx, { params }: ServiceInput<typeof calls.listFieldTabs>) {
  requireMethod(ctx, 'dynamic-fields.read')
  return { tabs: (await selectTabs(ownerOf(params.type))).map(tabAnswer) }
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
  const subtypeAnswers = subtypes.map(({ type: _, tabId, ...subtype }) => ({
    ...subtype,
    id: subtype.code,
    tab: tabId,
    updatedAt: subtype.updatedAt.toISOString(),
    fields: fields.filter((field) => field.subtype === subtype.code).map(fieldAnswer),
  }))
  return { tab: { ...tabAnswer(tab), subtypes: subtypeAnswers } }
}

/**
 * Shows or hides a tab. Needs dynamic-fields.write. Throws 404, 409 for an old version, and 409 fieldSystemic if a tab
 * with shipped fields would be hidden.
 */
export async function activateFieldTab(ctx: Ctx, { params, body }: ServiceInput<typeof calls.activateFieldTab>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changeDefinitions(async (tx) => {
    const tabs = await lockTabs(tx, type)
    const { active } = requireUnchanged(
      tabs.find(({ id }) => id === params.tab),
      body.updatedAt,
    )
    if (!body.active && (await hasShippedFields(tx, type, { tab: params.tab }))) throw shippedError()
    if (await audit(tx, ctx, dynamicFieldTabEntity, params.tab, { active }, { active: body.active }))
      await setTab(tx, params.tab, { active: body.active })
  })
  return {}
}

type Order = { id: string; order: number }[]

/** Returns each row that moves, with its order before and after. Throws 409 unless the order names each row once. */
function movesOf(rows: readonly { id: string; order: number }[], order: Order) {
  const ids = rows.map(({ id }) => id)
  if (!isWholeOrder(ids, order)) throw new AppError(409)
  const sorted = order.toSorted((a, b) => a.order - b.order)
  return sorted.flatMap(({ id }, index) => {
    const before = rows.find((row) => row.id === id)?.order ?? 0
    return before === index ? [] : [{ id, before: { order: before }, after: { order: index } }]
  })
}

/** Orders the tabs of a type. Needs dynamic-fields.write. Throws 404, and 409 unless each tab is named once. */
export async function orderFieldTabs(ctx: Ctx, { params, body }: ServiceInput<typeof calls.orderFieldTabs>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changeDefinitions(async (tx) => {
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
  await changeDefinitions(async (tx) => {
    if (!(await selectTabs(type, tx)).some(({ id }) => id === params.tab)) throw notFound()
    const moves = movesOf(await lockTabFields(tx, type, params.tab), body.order)
    for (const { id, after } of moves) await fieldRows.update(tx, id, after)
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
    // a missing picture doesn't limit an account
    row.type === 'contractors' || row.fieldType === 'picture' ? null : countLacking(row),
  ])
  return { field: { ...fieldAnswer(row), valueCount, lackingCount } }
}

/** Returns a definition as it is stored. Throws 400 for an unsafe pattern, unless it is the one `before`. */
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
 * and a unique field whose code already has values that it can't have.
 */
export async function createDynamicField(ctx: Ctx, { body }: ServiceInput<typeof calls.createDynamicField>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const { type, ...input } = body
  const { unique, ...values } = withImplied(storedAs(input))
  requireItems(values)
  const id = randomUUID()
  await changeDefinitions(async (tx) => {
    if (unique) await holdUniqueness(tx, { change: true })
    await holdCodes(tx)
    if (await isCodeTaken(tx, type, values.code, id)) throw codeTaken()
    const row = { ...values, id, type, order: await nextFieldOrder(tx, type) }
    await fieldRows.insert(tx, { ...row, unique: false })
    if (unique) await changeUniqueness(tx, ctx, id, true)
    await audit(tx, ctx, dynamicFieldEntity, id, null, recorded(dynamicFieldEntity, { ...row, unique }))
  })
  return { id }
}

/**
 * Replaces a definition; stored values stay as they are. Needs dynamic-fields.write. Throws 404, 409 for an old
 * version, and 400 for what is locked, a code that is taken or has values, an unknown subtype, and values that can't be
 * unique.
 */
export async function updateDynamicField(ctx: Ctx, { params, body }: ServiceInput<typeof calls.updateDynamicField>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const { id } = params
  const type = ownerOf(params.type)
  const { updatedAt, ...input } = body
  await changeDefinitions(async (tx) => {
    const unlocked = await selectField(type, id, tx)
    const changesUniqueness = (row: FieldRow) => row.unique !== body.unique || (row.unique && row.code !== body.code)
    // a transaction that writes values takes this lock first and that of the field afterwards
    const holdsLock = unlocked !== undefined && changesUniqueness(unlocked)
    if (holdsLock) await holdUniqueness(tx, { change: true })
    await holdCodes(tx)
    const row = await lockField(tx, type, id)
    const before = await requireVersion(tx, ctx, dynamicFieldEntity, { id, row, updatedAt })
    if (changesUniqueness(before) && !holdsLock) throw new AppError(409)
    const fieldBefore = { ...before, items: itemsOf(before.items) }
    const after = savedAs(fieldBefore, storedAs(input, fieldBefore.pattern))
    await requireAllowed(tx, fieldBefore, after)
    const auditedAfter = recorded(dynamicFieldEntity, { ...fieldBefore, ...after })
    if (!(await audit(tx, ctx, dynamicFieldEntity, id, recorded(dynamicFieldEntity, fieldBefore), auditedAfter))) return
    const { unique, ...columns } = after
    const hasNewCode = fieldBefore.code !== after.code
    if (fieldBefore.unique && (!unique || hasNewCode)) await changeUniqueness(tx, ctx, id, false)
    await fieldRows.update(tx, id, columns)
    if (unique && (!fieldBefore.unique || hasNewCode)) await changeUniqueness(tx, ctx, id, true)
  })
  return {}
}

type StoredField = ReturnType<typeof storedAs>

async function requireAllowed(tx: Transaction, before: FieldRow, after: StoredField) {
  const items = before.items.map((item) => ({ ...item, valueEn: item.valueEn ?? '' }))
  const lockedNames = lockedChanges({ ...before, items }, after)
  // switching a shipped field off would be a change that its lock doesn't name
  if (before.systemic && !after.active) lockedNames.push('active')
  const errorList = [...new Set(lockedNames)].map((field) => ({ field, code: 'errorFieldLocked' }))
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  // the field of the account's language has no items of its own: the languages of the domain are its items
  if (!before.systemic) requireItems(after)
  if (before.code === after.code) return
  if (await isCodeTaken(tx, before.type, after.code, before.id)) throw codeTaken()
  if (await hasValues(tx, before.type, before.code)) throw fieldError('code', 'errorFieldHasValues')
}

/**
 * Shows or hides a field. Needs dynamic-fields.write. Throws 404, 409, and 409 fieldSystemic for one that can't be
 * switched.
 */
export async function activateDynamicField(
  ctx: Ctx,
  { params, body }: ServiceInput<typeof calls.activateDynamicField>,
) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changeDefinitions(async (tx) => {
    const field = requireUnchanged(await lockField(tx, type, params.id), body.updatedAt)
    if (!isSwitchable(field, body.active)) throw shippedError()
    const { active } = field
    if (await audit(tx, ctx, dynamicFieldEntity, params.id, { active }, { active: body.active }))
      await fieldRows.update(tx, params.id, { active: body.active })
  })
  return {}
}

/**
 * Deletes a definition and leaves its values. Needs dynamic-fields.write. Throws 404, and 409 for one that can't be
 * deleted.
 */
export async function deleteDynamicField(ctx: Ctx, { params }: ServiceInput<typeof calls.deleteDynamicField>) {
  requireMethod(ctx, 'dynamic-fields.write')
  const type = ownerOf(params.type)
  await changeDefinitions(async (tx) => {
    // nobody may take a unique value of the field meanwhile
    await holdUniqueness(tx, { change: true })
    const before = requireUnchanged(await lockField(tx, type, params.id))
    if (!isDeletable(before)) throw shippedError()
    await fieldRows.remove(tx, params.id)
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
