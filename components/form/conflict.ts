import type { Conflict } from '@/lib/base/runtime/errors'
import { areByLocale, localeName, valueAt, withValueAt } from './locale-rows'

export type Side = 'theirs' | 'mine'
export type Values = Record<string, unknown>

/**
 * A field, or one language's row of it, whose stored value another person changed while the form was open, to another
 * value than the form has.
 */
export type Difference = {
  name: string
  theirs: unknown
  mine: unknown
  /** Whether the form changed it too, so that the person must choose. */
  both: boolean
  /** Whether it is a secret, whose stored value is never shown. */
  hidden: boolean
}

/** Normalizes a value: null and undefined become the empty text, also in the members of rows. */
function normal(value: unknown): unknown {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  const members = Object.entries(value).map(([name, member]) => [name, normal(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== '').toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns whether two values of a field are the same to a person. */
export function isSameValue(value: unknown, otherValue: unknown): boolean {
  const [first, second] = [normal(value), normal(otherValue)]
  return first === second || JSON.stringify(first) === JSON.stringify(second)
}

/** Returns the parts of a field that are compared: its languages, or the field itself. */
const partsOf = (name: string, sides: readonly unknown[]) =>
  areByLocale(sides) ? [...new Set(sides.flat().map(({ localeId }) => localeName(name, localeId)))] : [name]

/**
 * Compares the values with which the form began, its current values and the stored ones. Returns the stored values in
 * the form's shape, and the fields that another person changed to another value than the form has.
 */
export function compare(base: Values, mine: Values, { values, hidden }: Pick<Conflict, 'values' | 'hidden'>) {
  const theirs: Values = {}
  const differences: Difference[] = []
  for (const name of Object.keys(base)) {
    if (hidden.includes(name)) {
      const both = !isSameValue(base[name], mine[name])
      differences.push({ name, theirs: base[name], mine: mine[name], both, hidden: true })
    } else if (Object.hasOwn(values, name)) {
      // a text that isn't set is stored as null and is empty in the form
      const stored = values[name] === null && typeof base[name] === 'string' ? '' : values[name]
      theirs[name] = stored
      for (const part of partsOf(name, [base[name], mine[name], stored])) {
        const [baseValue, currentValue, storedValue] = [base, mine, theirs].map((side) => valueAt(side, part))
        if (isSameValue(baseValue, storedValue) || isSameValue(currentValue, storedValue)) continue
        differences.push({
          name: part,
          theirs: storedValue,
          mine: currentValue,
          both: !isSameValue(baseValue, currentValue),
          hidden: false,
        })
      }
    }
  }
  return { theirs, differences }
}

/** Returns the form's values after a conflict, before a choice: the other person's changes and all of one's own. */
export function merged(mine: Values, { theirs, differences }: ReturnType<typeof compare>): Values {
  // if both differ only in spaces, the stored value counts
  const unchanged = Object.entries(theirs).filter(([name, value]) => isSameValue(mine[name], value))
  const result = { ...mine, ...Object.fromEntries(unchanged) }
  for (const { name, both, theirs: value } of differences) {
    const put = withValueAt(result, name, value)
    if (!both) result[put.field] = put.value
  }
  return result
}
