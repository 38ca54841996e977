import { z } from 'zod'
import { line, requiredLine } from '@/lib/base/contracts/contract'
import { fieldErrors } from '@/lib/base/contracts/issues'
import type { FieldError } from '@/lib/base/runtime/errors'
import { type RequisiteName, requisiteInputs, requisiteNames } from '@/lib/companies/requisites'
import { ExchangeFailed } from './exchange'

/** The most rows of a page, and the most characters of a row. */
const limits = { rows: 5_000, row: 64 * 1024 }

const Page = z.object({ items: z.array(z.unknown()).max(limits.rows), next: z.string().max(2_000).nullish() })

/** Returns the page of a source's answer. Throws ExchangeFailed if the answer has another form. */
export function pageOf(json: unknown): { items: unknown[]; next: string | null } {
  const { success, data } = Page.safeParse(json)
  if (!success) throw new ExchangeFailed('integrationFormat')
  return { items: data.items, next: data.next || null }
}

/** Returns the schema of a requisite that may be left out; null stands for an empty text. */
const requisite = (name: RequisiteName) =>
  z.preprocess((value) => (value === null ? '' : value), requisiteInputs[name].unwrap().optional())

const { externalCode: _, ...requisites } = Object.fromEntries(
  requisiteNames.map((name) => [name, requisite(name)]),
) as unknown as Record<RequisiteName, z.ZodType<string | undefined>>

const Values = z.record(z.string().max(100), z.unknown())

/** A row of `contractors.import`. Members that are left out stay as they are. */
export const ContractorItem = z.object({
  externalCode: requiredLine(64),
  name: requiredLine(255).optional(),
  ...requisites,
  enabled: z.boolean({ error: 'errorFormat' }).optional(),
  /** Codes of the organizations in which its people may hold roles. */
  organizations: z.array(line(64)).max(200, 'errorTooMany').optional(),
  values: Values.optional(),
})
export type ContractorItem = z.output<typeof ContractorItem>

/** A row of `personnel-actions.import`: the person, the type, and the values of its fields. */
export const ActionItem = z
  .object({
    login: line(255).optional(),
    email: line(255).optional(),
    externalId: line(255).optional(),
    type: requiredLine(100),
    values: Values,
  })
  .refine(({ login, email, externalId }) => [login, email, externalId].filter(Boolean).length === 1, {
    message: 'errorIntegrationPerson',
    path: ['login'],
  })
export type ActionItem = z.output<typeof ActionItem>

/**
 * How rows of an import are read: their schema, their id within a run, and the title by which people recognize them.
 */
const kinds = {
  'contractors.import': {
    schema: ContractorItem as z.ZodType<Record<string, unknown>>,
    id: (item: Record<string, unknown>) => String(item.externalCode),
    title: ({ name, externalCode }: Record<string, unknown>) => String(name ?? externalCode),
  },
  'personnel-actions.import': {
    schema: ActionItem as z.ZodType<Record<string, unknown>>,
    id: ({ login, email, externalId, type }: Record<string, unknown>) =>
      JSON.stringify([login ?? null, email ?? null, externalId ?? null, type]),
    title: ({ login, email, externalId, type }: Record<string, unknown>) => `${login || email || externalId} · ${type}`,
  },
}
export type ImportKey = keyof typeof kinds

export type ReadItem = {
  title: string
  input: { externalId: string; item?: Record<string, unknown>; fault?: { code: string; column: string } }
  fault?: { code: string; params: Record<string, string> }
}

/** Characters that PostgreSQL doesn't store in JSON: NUL, and halves of a surrogate pair. */
const unstorable = /\\u0000|\\ud[89a-f][0-9a-f]{2}/i

/** Returns the title of a faulty row: the first of its names that is a text. */
function guessedTitle(item: unknown, index: number): string {
  const { externalCode, name, login, email, externalId } = (item ?? {}) as Record<string, unknown>
  const text = [name, externalCode, login, email, externalId].find((value) => typeof value === 'string' && value !== '')
  return typeof text === 'string' ? text.toWellFormed().replaceAll('\0', '').slice(0, 255) : `№ ${index + 1}`
}

/** Returns a row without the members that these faults name. */
export function withoutMembers(item: Record<string, unknown>, faults: readonly FieldError[]): Record<string, unknown> {
  const [members, fieldCodes] = [new Set<string>(), new Set<string>()]
  for (const { field } of faults) {
    const [member = '', code] = field.split('.')
    if (member === 'values' && code !== undefined) fieldCodes.add(field.slice('values.'.length))
    else members.add(member)
  }
  const values = Object.entries((item.values ?? {}) as object).filter(([code]) => !fieldCodes.has(code))
  const remaining = Object.entries(item).filter(([member]) => !members.has(member))
  return { ...Object.fromEntries(remaining), ...(fieldCodes.size > 0 ? { values: Object.fromEntries(values) } : {}) }
}

/**
 * Reads rows of a page. A faulty member is left out and becomes the fault of its row; if the row can't be identified
 * without it, the whole row fails (docs/rules/integration.md#imports).
 */
export function readItems(key: ImportKey, items: readonly unknown[], first: number): ReadItem[] {
  const { schema, id, title } = kinds[key]
  return items.map((item, index) => {
    const faultyRow = (code: string, column = ''): ReadItem => ({
      title: guessedTitle(item, first + index),
      input: { externalId: '' },
      fault: { code, params: column ? { column } : {} },
    })
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return faultyRow('errorFormat')
    const text = JSON.stringify(item)
    if (text.length > limits.row) return faultyRow('errorTooLong')
    if (unstorable.test(text)) return faultyRow('errorChars')
    const { success, data, error } = schema.safeParse(item)
    if (success) return { title: title(data).slice(0, 255), input: { externalId: id(data), item: data } }
    const faults = fieldErrors(error)
    const [fault] = faults
    const value = (item as Record<string, unknown>)[fault?.field ?? '']
    // a number in place of a text isn't empty, but it may have lost leading zeros
    const hasOtherType = fault?.code === 'errorEmpty' && value !== undefined && value !== null && value !== ''
    const code = hasOtherType ? 'errorFormat' : (fault?.code ?? 'errorFormat')
    const reduced = schema.safeParse(withoutMembers(item as Record<string, unknown>, faults))
    if (!fault || !reduced.success) return faultyRow(code, fault?.field)
    const input = { externalId: id(reduced.data), item: reduced.data, fault: { code, column: fault.field } }
    return { title: title(reduced.data).slice(0, 255), input }
  })
}
