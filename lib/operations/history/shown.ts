import type { Field } from '@/lib/base/audit/entity'
import type { Plain } from '@/lib/base/audit/values'

/**
 * A value as the history shows it: by its kind, by the text of a choice, or by the name of the object that it refers
 * to.
 */
export type Shown =
  | { as: 'text' | 'number' | 'yesNo' | 'date' | 'json'; value: Plain }
  /** The key of the text. */
  | { as: 'choice'; value: string; text: string }
  | { as: 'reference'; value: string }
  /** The beginning of a long value, and its number of characters. */
  | { as: 'cut'; value: string; length: number }

/** The difference between two values without members, or without comparable members. */
export type PlainDiff =
  /** The value isn't stored: the history only knows that it was set, changed or removed. */
  | { kind: 'secret'; act: 'set' | 'changed' | 'removed' }
  | { kind: 'value'; previous: Shown | null; current: Shown | null }
  /** `kept` counts the items in both lists; `moved`: only the order differs. */
  | { kind: 'list'; removed: Shown[]; added: Shown[]; kept: number; moved: boolean }

/** One side of a change as it was read: `length` is set for a value that was too long and was cut to a text. */
export type Side = { value: Plain; length?: number | null }

/** Returns how a value of a field is shown; null for an empty one. */
export function displayed({ value, length }: Side, field: Field | undefined): Shown | null {
  if (value === null) return null
  if (length) return { as: 'cut', value: String(value), length }
  const { kind } = field ?? {}
  if (typeof value === 'string') {
    if (kind === 'choice' && field) return choiceOf(value, field) ?? { as: 'text', value }
    if (kind === 'date' || kind === 'reference') return { as: kind, value }
    return { as: 'text', value }
  }
  if (typeof value === 'number') return { as: 'number', value }
  if (typeof value === 'boolean') return { as: 'yesNo', value }
  return { as: 'json', value }
}

/** Returns a value of a field's choices, with the key of its text; null if it isn't one of them. */
const choiceOf = (value: string, { values, texts }: Field): Shown | null =>
  texts && values?.includes(value) ? { as: 'choice', value, text: `${texts}.${value}` } : null

/** Returns how one item of a list is shown. */
export const item = (value: Plain, field: Field | undefined): Shown => {
  if (typeof field?.to === 'string' && typeof value === 'string') return { as: 'reference', value }
  const choice = field && typeof value === 'string' ? choiceOf(value, field) : null
  return choice ?? displayed({ value }, undefined) ?? { as: 'json', value }
}

/** Returns the items of a list that another list lacks; of equal items as many as it has more of. */
export function missingItems(list: readonly Plain[], other: readonly Plain[]): Plain[] {
  const counts = new Map<string, number>()
  for (const value of other) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1)
  return list.filter((value) => {
    const count = counts.get(keyOf(value)) ?? 0
    if (count > 0) counts.set(keyOf(value), count - 1)
    return count === 0
  })
}

/** Returns a text that is the same for equal values, whatever the order of their members. */
const keyOf = (value: Plain): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Returns the removed and added items of a list; `show` returns how an item is shown. */
export function listDiff(
  before: readonly Plain[],
  after: readonly Plain[],
  show: (value: Plain) => Shown,
): Extract<PlainDiff, { kind: 'list' }> {
  const [removed, added] = [missingItems(before, after), missingItems(after, before)]
  return {
    kind: 'list',
    removed: removed.map(show),
    added: added.map(show),
    kept: after.length - added.length,
    moved: removed.length === 0 && added.length === 0,
  }
}

/** Returns the known part of a change of a secret: set, changed or removed. */
export const secretDiff = (before: Plain, after: Plain): PlainDiff => ({
  kind: 'secret',
  act: before === null ? 'set' : after === null ? 'removed' : 'changed',
})
