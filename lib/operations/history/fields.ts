import type { Ctx } from '@/lib/base/context/ctx'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import { localName } from '@/lib/base/i18n/local-name'
import { type FieldView, historyName, isBase, isChosen, viewOf } from '@/lib/fields/values/definition'
import { contractorFields, peopleFields } from '@/lib/fields/values/service'
import type { Change } from './contract'
import type { Diff } from './diff'
import type { Shown } from './shown'

/** The field family under which values of defined fields are recorded. */
export const fieldFamily = 'field:*'

const prefix = fieldFamily.slice(0, -1)

/** Returns the code of a recorded field: a defined field is recorded as the family's prefix and its code. */
export const codeOf = (field: string) => (field.startsWith(prefix) ? field.slice(prefix.length) : field)

/** Returns the names under which a field with this code may be recorded. */
export const recordedNames = (code: string) => [code, historyName(code)]

/** A block of fields, with the recorded names of its fields. */
export type Block = { entity: EntityName; code: string; title: string; fields: string[] }

const owners = { users: peopleFields, contractors: contractorFields } as const

/** Returns the blocks of the fields of these entities, titled in the reader's language. */
export async function blocksIn(ctx: Ctx, entities: readonly EntityName[]): Promise<Block[]> {
  const blocks = new Map<string, Block>()
  for (const entity of ['users', 'contractors'] as const) {
    if (!entities.includes(entity)) continue
    for (const field of await owners[entity]()) {
      const { code } = field.subtype
      const blockKey = `${entity} ${code}`
      const block = blocks.get(blockKey) ?? { entity, code, title: localName(field.subtype, ctx.locale), fields: [] }
      block.fields.push(isBase(field) ? field.code : historyName(field.code))
      blocks.set(blockKey, block)
    }
  }
  return [...blocks.values()]
}

/** The reader: an administrator, or a person who reads the history of their own account. */
export type Reader = 'admin' | 'profile'
/** By code; null for a field that its definition hides from the reader. */
type ViewsByCode = ReadonlyMap<string, FieldView | null>

/** Returns the fields that an entity's values may belong to, by code, in the reader's language. */
export async function definedFields(ctx: Ctx, entity: string, reader: Reader): Promise<ViewsByCode> {
  const readFields = Object.hasOwn(owners, entity) ? owners[entity as keyof typeof owners] : undefined
  const { locale, domain } = ctx
  return new Map(
    ((await readFields?.()) ?? []).map((field) => {
      const { visible, required } = field[reader]
      const view = viewOf(field, { locale, locales: domain.locales, required: false })
      return [field.code, visible || required ? view : null]
    }),
  )
}

/** Returns a function that shows a value by its field's definition: an option by its title, a date as a date. */
export const displayByDefinition =
  (view: FieldView) =>
  (shown: Shown): Shown => {
    if (shown.as !== 'text' || typeof shown.value !== 'string') return shown
    const { value } = shown
    if (isChosen(view)) return { as: 'text', value: view.options.find(({ code }) => code === value)?.title ?? value }
    return view.fieldType === 'date' ? { as: 'date', value } : shown
  }

function displayedDiff(view: FieldView, diff: Diff): Diff {
  // the stored value of a picture is an id, which means nothing to people
  if (view.fieldType === 'picture' && diff.kind === 'value')
    return { kind: 'secret', act: !diff.previous ? 'set' : diff.current ? 'changed' : 'removed' }
  const display = displayByDefinition(view)
  if (diff.kind === 'value')
    return {
      ...diff,
      previous: diff.previous && display(diff.previous),
      current: diff.current && display(diff.current),
    }
  if (diff.kind === 'list') return { ...diff, removed: diff.removed.map(display), added: diff.added.map(display) }
  return diff
}

/**
 * Returns a change of a defined field with its title and with values shown by its definition; any other change
 * unchanged; nothing for a field that is hidden from the reader.
 */
export function changeByDefinition(change: Change, fields: ViewsByCode): Change[] {
  const isDefined = change.member !== undefined && change.field.startsWith(prefix)
  const view = isDefined ? fields.get(change.member ?? '') : undefined
  if (view === null) return []
  if (!view) return [change]
  const { member: _, ...rest } = change
  return [{ ...rest, title: view.title, diff: displayedDiff(view, change.diff) }]
}
