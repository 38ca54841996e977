import type { Ctx } from '@/lib/kernel/ctx'
import { type FieldView, isChosen, viewOf } from '@/lib/people/fields/definition'
import { contractorFields, peopleFields } from '@/lib/people/fields/service'
import type { Change } from './contract'
import type { Diff, Shown } from './diff'

/** The family under which values of defined fields are recorded. */
const fieldFamily = 'field:*'

/** Returns the fields that an entity's values may belong to, by code, in the reader's language. */
export async function definedFields(ctx: Ctx, entity: string): Promise<ReadonlyMap<string, FieldView>> {
  const read = { users: peopleFields, contractors: contractorFields }[entity]
  const { locale, domain } = ctx
  const views = ((await read?.()) ?? []).map((field) =>
    viewOf(field, { locale, locales: domain.locales, required: false }),
  )
  return new Map(views.map((view) => [view.code, view]))
}

/** A value in the words of its definition: an option by its title, a day as a day. */
const inWords =
  (view: FieldView) =>
  (shown: Shown): Shown => {
    if (shown.as !== 'text' || typeof shown.value !== 'string') return shown
    const { value } = shown
    if (isChosen(view)) return { as: 'text', value: view.options.find(({ code }) => code === value)?.title ?? value }
    return view.fieldType === 'date' ? { as: 'date', value } : shown
  }

function diffIn(view: FieldView, diff: Diff): Diff {
  const say = inWords(view)
  if (diff.kind === 'value')
    return { ...diff, previous: diff.previous && say(diff.previous), current: diff.current && say(diff.current) }
  if (diff.kind === 'list') return { ...diff, removed: diff.removed.map(say), added: diff.added.map(say) }
  return diff
}

/** Returns a change of a defined field with its title and its values in words; any other one as it is. */
export function inDefinition(change: Change, fields: ReadonlyMap<string, FieldView>): Change {
  const view = change.member === undefined ? undefined : fields.get(change.member)
  if (!view || !change.field.startsWith(fieldFamily.slice(0, -1))) return change
  const { member: _, ...rest } = change
  return { ...rest, title: view.title, diff: diffIn(view, change.diff) }
}
