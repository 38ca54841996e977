import type { Ctx } from '@/lib/kernel/ctx'
import { type FieldView, isChosen, viewOf } from '@/lib/people/fields/definition'
import { contractorFields, peopleFields } from '@/lib/people/fields/service'
import type { Change } from './contract'
import type { Diff } from './diff'
import type { Shown } from './shown'

/** The family under which values of defined fields are recorded. */
export const fieldFamily = 'field:*'

/** Who reads: an administrator, or a person what was done to their own account. */
export type Reader = 'admin' | 'profile'
/** By code; null for a field that its definition hides from the reader. */
type Known = ReadonlyMap<string, FieldView | null>

/** Returns the fields that an entity's values may belong to, by code, in the reader's language. */
export async function definedFields(ctx: Ctx, entity: string, reader: Reader): Promise<Known> {
  const read = { users: peopleFields, contractors: contractorFields }[entity]
  const { locale, domain } = ctx
  return new Map(
    ((await read?.()) ?? []).map((field) => {
      const { visible, required } = field[reader]
      const view = viewOf(field, { locale, locales: domain.locales, required: false })
      return [field.code, visible || required ? view : null]
    }),
  )
}

/** Returns a function that says a value in the words of its definition: an option by its title, a day as a day. */
export const inWords =
  (view: FieldView) =>
  (shown: Shown): Shown => {
    if (shown.as !== 'text' || typeof shown.value !== 'string') return shown
    const { value } = shown
    if (isChosen(view)) return { as: 'text', value: view.options.find(({ code }) => code === value)?.title ?? value }
    return view.fieldType === 'date' ? { as: 'date', value } : shown
  }

function diffIn(view: FieldView, diff: Diff): Diff {
  // what is stored of a picture is an id, which means nothing to people
  if (view.fieldType === 'picture' && diff.kind === 'value')
    return { kind: 'secret', act: !diff.previous ? 'set' : diff.current ? 'changed' : 'removed' }
  const say = inWords(view)
  if (diff.kind === 'value')
    return { ...diff, previous: diff.previous && say(diff.previous), current: diff.current && say(diff.current) }
  if (diff.kind === 'list') return { ...diff, removed: diff.removed.map(say), added: diff.added.map(say) }
  return diff
}

/**
 * Returns a change of a defined field with its title and its values in words; any other one as it is; nothing for a
 * field that is hidden from the reader.
 */
export function inDefinition(change: Change, fields: Known): Change[] {
  const isDefined = change.member !== undefined && change.field.startsWith(fieldFamily.slice(0, -1))
  const view = isDefined ? fields.get(change.member ?? '') : undefined
  if (view === null) return []
  if (!view) return [change]
  const { member: _, ...rest } = change
  return [{ ...rest, title: view.title, diff: diffIn(view, change.diff) }]
}
