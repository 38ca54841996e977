import type { Conflict } from '@/lib/kernel/errors'

export type Side = 'theirs' | 'mine'
export type Values = Record<string, unknown>

/** A field whose stored value somebody changed meanwhile, and that isn't what the form holds. */
export type Difference = {
  name: string
  theirs: unknown
  mine: unknown
  /** Changed in the form too, so that somebody must choose. */
  both: boolean
  /** A secret: its stored value is never shown. */
  hidden: boolean
}

/** A value without what makes no difference: nothing is the empty text, in members of rows too. */
function normal(value: unknown): unknown {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  const members = Object.entries(value).map(([name, member]) => [name, normal(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== '').toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns whether two values of a field are the same to a person. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const [first, second] = [normal(one), normal(other)]
  return first === second || JSON.stringify(first) === JSON.stringify(second)
}

/**
 * Compares what the form was read with, what it holds and what is stored now. Returns what was stored, in the form's own
 * shape, and the fields that somebody changed to something else than the form holds.
 */
export function compare(base: Values, mine: Values, { values, hidden }: Pick<Conflict, 'values' | 'hidden'>) {
  const theirs: Values = {}
  const differences: Difference[] = []
  for (const name of Object.keys(base)) {
    if (hidden.includes(name)) {
      const both = !isSameValue(base[name], mine[name])
      differences.push({ name, theirs: base[name], mine: mine[name], both, hidden: true })
    } else if (Object.hasOwn(values, name)) {
      // a text that isn't set is stored as null, and is empty in the form
      const stored = values[name] === null && typeof base[name] === 'string' ? '' : values[name]
      theirs[name] = stored
      if (isSameValue(base[name], stored) || isSameValue(mine[name], stored)) continue
      const both = !isSameValue(base[name], mine[name])
      differences.push({ name, theirs: stored, mine: mine[name], both, hidden: false })
    }
  }
  return { theirs, differences }
}

/** What a form holds after a conflict, before anybody chose: the others' changes, and all of one's own. */
export function merged(mine: Values, { theirs, differences }: ReturnType<typeof compare>): Values {
  const taken = differences.filter(({ both }) => !both).map(({ name, theirs: value }) => [name, value] as const)
  // where both say the same in other spaces, the stored one counts
  const same = Object.entries(theirs).filter(([name, value]) => isSameValue(mine[name], value))
  return { ...mine, ...Object.fromEntries([...taken, ...same]) }
}
