import type { Field } from '@/lib/base/audit/entity'
import type { Plain } from '@/lib/base/audit/values'

/** A value as the history shows it: by its kind, by the text of a choice, or by the name of what it refers to. */
export type Shown =
  | { as: 'text' | 'number' | 'yesNo' | 'date' | 'json'; value: Plain }
  /** The key of the text. */
  | { as: 'choice'; value: string; text: string }
  | { as: 'reference'; value: string }
  /** The beginning of a long value, and how many characters it has. */
  | { as: 'cut'; value: string; length: number }

/** What differs between two values that have no members, or no more of them to look into. */
export type PlainDiff =
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
  const { kind } = field ?? {}
  if (typeof value === 'string') {
    if (kind === 'choice' && field) return chosen(value, field) ?? { as: 'text', value }
    if (kind === 'date' || kind === 'reference') return { as: kind, value }
    return { as: 'text', value }
  }
  if (typeof value === 'number') return { as: 'number', value }
  if (typeof value === 'boolean') return { as: 'yesNo', value }
  return { as: 'json', value }
}

/** One of the values that a field offers, by the key of its text. */
const chosen = (value: string, { values, texts }: Field): Shown | null =>
  texts && values?.includes(value) ? { as: 'choice', value, text: `${texts}.${value}` } : null

/** Returns how one item of a list is shown. */
export const item = (value: Plain, field: Field | undefined): Shown => {
  if (typeof field?.to === 'string' && typeof value === 'string') return { as: 'reference', value }
  const choice = field && typeof value === 'string' ? chosen(value, field) : null
  return choice ?? shown({ value }, undefined) ?? { as: 'json', value }
}

/** Returns the items of one list that another one lacks; of equal items as many as it has more. */
export function without(list: readonly Plain[], other: readonly Plain[]): Plain[] {
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

/** Returns what was taken from a list and what was added; `show` says how an item is shown. */
export function listDiff(
  was: readonly Plain[],
  is: readonly Plain[],
  show: (value: Plain) => Shown,
): Extract<PlainDiff, { kind: 'list' }> {
  const [removed, added] = [without(was, is), without(is, was)]
  return {
    kind: 'list',
    removed: removed.map(show),
    added: added.map(show),
    kept: is.length - added.length,
    moved: removed.length === 0 && added.length === 0,
  }
}

/** Returns what is known of a change of a secret. */
export const secretDiff = (was: Plain, is: Plain): PlainDiff => ({
  kind: 'secret',
  act: was === null ? 'set' : is === null ? 'removed' : 'changed',
})
