import { z } from 'zod'
import { line, requiredLine } from '@/lib/base/contracts/contract'
import { fieldErrors } from '@/lib/base/contracts/issues'
import type { FieldError } from '@/lib/base/runtime/errors'
import { type RequisiteName, requisiteInputs, requisiteNames } from '@/lib/companies/requisites'
import { ExchangeFailed } from './exchange'

/** The most rows of a page, and the most characters of a row. */
const most = { rows: 5_000, row: 64 * 1024 }

const Page = z.object({ items: z.array(z.unknown()).max(most.rows), next: z.string().max(2_000).nullish() })

/** Returns a page as a source answers it. Throws ExchangeFailed for another answer. */
export function pageOf(json: unknown): { items: unknown[]; next: string | null } {
  const { success, data } = Page.safeParse(json)
  if (!success) throw new ExchangeFailed('integrationFormat')
  return { items: data.items, next: data.next || null }
}

/** A requisite that may be left out; null empties it, as another system may write it. */
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

/** A row of `personnel-actions.import`: whose it is, of which type, and the values of its fields. */
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

/** How rows of an import are read: their schema, what names one within a run, and how people recognize it. */
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

/** Characters that PostgreSQL keeps in no JSON: NUL, and halves of a pair. */
const unkept = /\\u0000|\\ud[89a-f][0-9a-f]{2}/i

/** What a wrong row is called: the first text of its names. */
function guessed(item: unknown, at: number): string {
  const { externalCode, name, login, email, externalId } = (item ?? {}) as Record<string, unknown>
  const found = [name, externalCode, login, email, externalId].find((one) => typeof one === 'string' && one !== '')
  return typeof found === 'string' ? found.toWellFormed().replaceAll('\0', '').slice(0, 255) : `№ ${at + 1}`
}

/** A row without the members that these faults name. */
export function withoutMembers(item: Record<string, unknown>, faults: readonly FieldError[]): Record<string, unknown> {
  const [whole, within] = [new Set<string>(), new Set<string>()]
  for (const { field } of faults) {
    const [member = '', code] = field.split('.')
    if (member === 'values' && code !== undefined) within.add(field.slice('values.'.length))
    else whole.add(member)
  }
  const values = Object.entries((item.values ?? {}) as object).filter(([code]) => !within.has(code))
  const left = Object.entries(item).filter(([member]) => !whole.has(member))
  return { ...Object.fromEntries(left), ...(within.size > 0 ? { values: Object.fromEntries(values) } : {}) }
}

/**
 * Reads rows of a page. A member that is wrong is left out and is the fault of its row; one by which the row is known makes
 * it none at all. Nobody waits for it
 * (docs/rules/integration.md#imports).
 */
export function readItems(key: ImportKey, items: readonly unknown[], first: number): ReadItem[] {
  const { schema, id, title } = kinds[key]
  return items.map((item, at) => {
    const wrong = (code: string, column = ''): ReadItem => ({
      title: guessed(item, first + at),
      input: { externalId: '' },
      fault: { code, params: column ? { column } : {} },
    })
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return wrong('errorFormat')
    const text = JSON.stringify(item)
    if (text.length > most.row) return wrong('errorTooLong')
    if (unkept.test(text)) return wrong('errorChars')
    const { success, data, error } = schema.safeParse(item)
    if (success) return { title: title(data).slice(0, 255), input: { externalId: id(data), item: data } }
    const faults = fieldErrors(error)
    const [fault] = faults
    const given = (item as Record<string, unknown>)[fault?.field ?? '']
    // a number where a text belongs isn't empty: it has lost its leading zeros
    const ofOtherType = fault?.code === 'errorEmpty' && given !== undefined && given !== null && given !== ''
    const code = ofOtherType ? 'errorFormat' : (fault?.code ?? 'errorFormat')
    const left = schema.safeParse(withoutMembers(item as Record<string, unknown>, faults))
    if (!fault || !left.success) return wrong(code, fault?.field)
    const input = { externalId: id(left.data), item: left.data, fault: { code, column: fault.field } }
    return { title: title(left.data).slice(0, 255), input }
  })
}
