import { mask } from '@/lib/kernel/masks'
import type { Field, Referred } from '@/lib/kernel/record/entity'
import { isSame, masked, type Plain } from '@/lib/kernel/record/values'

/** A value as the history shows it: by its kind, by the text of a choice, or by the name of what it refers to. */
export type Shown =
  | { as: 'text' | 'number' | 'yesNo' | 'date' | 'json'; value: Plain }
  /** The key of the text. */
  | { as: 'choice'; value: string; text: string }
  | { as: 'reference'; value: string }
  /** The beginning of a long value, and how many characters it has. */
  | { as: 'cut'; value: string; length: number }

/** What differs between two values of a field. */
export type Diff =
  /** The value isn't stored: only that it was set, changed or removed is known. */
  | { kind: 'secret'; act: 'set' | 'changed' | 'removed' }
  | { kind: 'value'; previous: Shown | null; current: Shown | null }
  /** `kept` items stand on both sides; `moved`: they differ in their order alone. */
  | { kind: 'list'; removed: Shown[]; added: Shown[]; kept: number; moved: boolean }

/** One side of a change as it is read: `length` of a value that is too long and was cut to a text. */
export type Side = { value: Plain; length?: number | null }

/** Returns how one value of a field is shown; nothing for one that is empty. */
export function shown({ value, length }: Side, field: Field | undefined): Shown | null {
  if (value === null) return null
  if (length) return { as: 'cut', value: String(value), length }
  const { kind, values, texts } = field ?? {}
  if (typeof value === 'string') {
    if (kind === 'choice' && texts && values?.includes(value)) return { as: 'choice', value, text: `${texts}.${value}` }
    if (kind === 'date' || kind === 'reference') return { as: kind, value }
    return { as: 'text', value }
  }
  if (typeof value === 'number') return { as: 'number', value }
  if (typeof value === 'boolean') return { as: 'yesNo', value }
  return { as: 'json', value }
}

/** Returns how one item of a list is shown. */
export const item = (value: Plain, field: Field | undefined): Shown => {
  if (typeof field?.to === 'string' && typeof value === 'string') return { as: 'reference', value }
  return shown({ value }, undefined) ?? { as: 'json', value }
}

/** The items of one list that another one lacks; of equal items as many as it has more. */
function without(list: readonly Plain[], other: readonly Plain[]): Plain[] {
  const left = new Map<string, number>()
  for (const each of other) left.set(keyOf(each), (left.get(keyOf(each)) ?? 0) + 1)
  return list.filter((each) => {
    const count = left.get(keyOf(each)) ?? 0
    if (count > 0) left.set(keyOf(each), count - 1)
    return count === 0
  })
}

/** A text that equal values share, whatever the order of their members. */
const keyOf = (value: Plain): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** A recorded value without its secrets, by today's declaration of the field. */
export const withoutSecrets = (side: Side, field: Field | undefined): Plain =>
  // a cut value has no members to look into any more
  side.length && field?.secrets ? mask : masked(side.value, field?.secrets)

/**
 * Returns what differs between two recorded values of a field; without a declaration they are shown as they are. Secrets
 * are masked by today's declaration too, whatever was recorded.
 */
export function diffOf(field: Field | undefined, before: Side, after: Side): Diff {
  const secrets = field?.secrets
  const hide = (side: Side): Side => ({ ...side, value: withoutSecrets(side, field) })
  const [previous, current] = [hide(before), hide(after)]
  const whole = (value: Plain) => value === mask && (secrets !== undefined || !field)
  if (whole(previous.value) || whole(current.value) || (secrets && isSame(previous.value, current.value))) {
    const act = previous.value === null ? 'set' : current.value === null ? 'removed' : 'changed'
    return { kind: 'secret', act }
  }
  const lists = [previous, current].map(({ value, length }) => (Array.isArray(value) && !length ? value : null))
  const [was, is] = lists
  if ((was || previous.value === null) && (is || current.value === null) && (was || is)) {
    const [removed, added] = [without(was ?? [], is ?? []), without(is ?? [], was ?? [])]
    return {
      kind: 'list',
      removed: removed.map((value) => item(value, field)),
      added: added.map((value) => item(value, field)),
      kept: (is ?? []).length - added.length,
      moved: removed.length === 0 && added.length === 0,
    }
  }
  return { kind: 'value', previous: shown(previous, field), current: shown(current, field) }
}

/** Returns the ids that a value of a field refers to, by what they refer to. */
export function idsIn(field: Field | undefined, { value, length }: Side): [Referred, string][] {
  if (!field?.to || length) return []
  const { to } = field
  return [value].flat().flatMap((each): [Referred, string][] => {
    if (typeof to === 'string') return typeof each === 'string' ? [[to, each]] : []
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return []
    return Object.entries(to).flatMap(([member, referred]): [Referred, string][] => {
      const id = each[member]
      return typeof id === 'string' ? [[referred, id]] : []
    })
  })
}
