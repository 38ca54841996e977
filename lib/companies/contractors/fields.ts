import type { Transaction } from '@/db/client'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { AppError } from '@/lib/base/runtime/errors'
import { type Definition, type FieldView, viewOf } from '@/lib/fields/values/definition'
import { contractorFields } from '@/lib/fields/values/service'
import { claimUnique } from '@/lib/fields/values/unique'
import { type Changes, checkValues, type Values, type Writable } from '@/lib/fields/values/values'

const prefix = 'values.'

/** Returns the fields of contractors that the administration shows, in their order. */
const adminFields = async (): Promise<Definition[]> =>
  (await contractorFields()).filter(({ admin }) => admin.visible || admin.required)

const adminView = (ctx: Ctx, field: Definition) => {
  const { locale, domain } = ctx
  return viewOf(field, { locale, locales: domain.locales, required: field.admin.required, withComment: true })
}

/**
 * Returns whether administrators may change a field: a picture by its own calls, any other field with the contractor.
 */
const mayEdit = ({ admin }: Definition) => admin.edit
const mayWrite = (field: Definition) => mayEdit(field) && field.fieldType !== 'picture'

const writable = (ctx: Ctx, field: Definition): Writable => ({
  code: field.code,
  rules: adminView(ctx, field),
  ...(mayWrite(field) ? {} : { refused: 'errorReadOnly' as const }),
})

/**
 * Checks values of a contractor's fields by their definitions. A new contractor needs the required ones too. Throws 400
 * by field.
 */
export async function contractorChanges(ctx: Ctx, input: Values, stored: Values | null): Promise<Changes> {
  const fields = await adminFields()
  const requiredFields = stored ? [] : fields.filter((field) => field.admin.required && mayWrite(field))
  const completeInput = { ...Object.fromEntries(requiredFields.map(({ code }) => [code, null])), ...input }
  const checkContext = { now: ctx.now(), stored: stored ?? {}, prefix }
  const { changes, faults } = checkValues(
    fields.map((field) => writable(ctx, field)),
    completeInput,
    checkContext,
  )
  if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
  return changes
}

/** Gives a contractor, whose row is locked, its unique values. Throws 400 for those that another one has. */
export async function claimContractorValues(tx: Transaction, contractorId: string, values: Values) {
  const fields = (await contractorFields()).filter(({ code }) => Object.hasOwn(values, code))
  const taken = await claimUnique(tx, { contractorId }, fields, values)
  const errorList = taken.map((code) => ({ field: `${prefix}${code}`, code: 'errorUnique' }))
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
}

const valuesOf = (fields: readonly Definition[], values: Values): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap(({ code }) => (Object.hasOwn(values, code) ? [[code, values[code]]] : [])))

/** Returns those of a contractor's values that the administration shows. */
export async function shownValues(values: Values): Promise<Record<string, unknown>> {
  return valuesOf(await adminFields(), values)
}

/** Returns the fields of contractors that the profile shows to their people, in their order. */
const profileFields = async (): Promise<Definition[]> =>
  (await contractorFields()).filter(({ profile }) => profile.visible)

/** Returns those of a contractor's values that the profile shows to its people. */
export async function profileValues(values: Values): Promise<Record<string, unknown>> {
  return valuesOf(await profileFields(), values)
}

/** Returns the fields of contractors that the profile shows, as its pages need them. */
export async function profileFieldViews({ locale, domain }: Ctx): Promise<FieldView[]> {
  const fields = await profileFields()
  return fields.map((field) => viewOf(field, { locale, locales: domain.locales, required: false }))
}

/** A block of a contractor's fields. */
export type FieldBlock = { id: string; title: string; fields: (FieldView & { edit: boolean })[] }

/** Returns the fields of contractors by blocks, for cards and forms. Needs contractors.read. */
export async function contractorBlocks(ctx: Ctx): Promise<FieldBlock[]> {
  requireMethod(ctx, 'contractors.read')
  const blocks = new Map<string, FieldBlock>()
  for (const field of await adminFields()) {
    const { code: id } = field.subtype
    const block = blocks.get(id) ?? { id, title: localName(field.subtype, ctx.locale), fields: [] }
    block.fields.push({ ...adminView(ctx, field), edit: mayEdit(field) })
    blocks.set(id, block)
  }
  return [...blocks.values()]
}
