import { type Field, memberOf, type Secrets } from '@/lib/base/audit/entity'
import { isSame, type Plain, secretsIn } from '@/lib/base/audit/values'
import { mask } from '@/lib/base/text/masks'
import { item, listDiff, type PlainDiff, secretDiff, shown, without } from './shown'

/** One step into a value: to a member, to an item that an id or a code tells apart, or to one that only has a place. */
export type Step =
  /** `label` is the key of its name in messages/{ru,en}: null if it has none, empty if it isn't named. */
  | { as: 'member'; name: string; label: string | null }
  | { as: 'named'; id: string }
  /** Counted from 1. */
  | { as: 'place'; number: number }

/** What differs at one place of a value. */
export type Leaf = { path: Step[]; diff: PlainDiff }

type Members = { [member: string]: Plain }
/** What is declared of a value inside another one; `known`: of the whole one anything is. */
type Declared = { field: Field | undefined; secrets: Secrets | undefined; known: boolean }

/** Members by which values are told apart where nothing is declared. */
const usualKeys = ['id', 'localeId', 'code', 'key']

const isDuration = (value: Members) =>
  typeof value.unit === 'string' && typeof value.value === 'number' && Object.keys(value).length === 2

/** Whether it has members that differ one by one; a number with its unit is one value. */
const isNested = (value: Plain): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isDuration(value)

/** Whether a list holds values with members; items that are made of references alone are compared as a whole. */
const areRecords = (value: Plain, field: Field | undefined): value is Members[] =>
  Array.isArray(value) && value.length > 0 && typeof field?.to !== 'object' && value.every(isNested)

/** Returns whether a value of a field has parts of which each may change alone. */
export const hasParts = (value: Plain, field: Field | undefined) => isNested(value) || areRecords(value, field)

/**
 * Returns a value without what is empty in it: null, an empty text, a list or a value without anything. People see no
 * difference between them. Items keep their place.
 */
export function bare(value: Plain): Plain {
  if (value === '' || value === null) return null
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.length > 0 ? value.map(bare) : null
  const members = Object.entries(value).flatMap(([name, each]) => {
    const left = bare(each)
    return left === null ? [] : [[name, left] as const]
  })
  return members.length > 0 ? Object.fromEntries(members) : null
}

/** Returns each place at which two values of a field differ, with what was and is there; secrets must be masked already. */
export const leavesOf = (field: Field | undefined, before: Plain, after: Plain): Leaf[] =>
  leaves([], bare(before), bare(after), { field, secrets: field?.secrets, known: field !== undefined })

function formOf(value: Plain, field: Field | undefined) {
  if (value === null) return null
  if (areRecords(value, field)) return 'records'
  if (Array.isArray(value)) return 'list'
  return isNested(value) ? 'members' : 'one'
}

function leaves(path: Step[], before: Plain, after: Plain, declared: Declared): Leaf[] {
  if (isSame(before, after)) return []
  const { field } = declared
  const [was, is] = [formOf(before, field), formOf(after, field)]
  const lists = Array.isArray(before) && Array.isArray(after)
  // what became something of another form was taken, and something else was set
  if (was && is && was !== is && !lists)
    return [...leaves(path, before, null, declared), ...leaves(path, null, after, declared)]
  const form = lists && was !== is ? 'list' : (was ?? is)
  if (form === 'members') return ofMembers(path, before as Members | null, after as Members | null, declared)
  if (form === 'records') return ofRecords(path, (before ?? []) as Members[], (after ?? []) as Members[], declared)
  if (form === 'list') {
    const [taken, added] = [(before ?? []) as Plain[], (after ?? []) as Plain[]]
    return [{ path, diff: listDiff(taken, added, (each) => item(each, field)) }]
  }
  return [{ path, diff: ofOne(before, after, declared) }]
}

function ofOne(before: Plain, after: Plain, { field, secrets, known }: Declared): PlainDiff {
  const hidden = (value: Plain) => value === mask && (secrets !== undefined || !known)
  if (hidden(before) || hidden(after)) return secretDiff(before, after)
  return { kind: 'value', previous: shown({ value: before }, field), current: shown({ value: after }, field) }
}

/** Members in the order of their declaration, others behind them. */
function namesOf(field: Field | undefined, ...values: (Members | null)[]) {
  const present = new Set(values.flatMap((value) => Object.keys(value ?? {})))
  const declared = Object.keys(field?.members ?? {}).filter((name) => present.has(name))
  return [...new Set([...declared, ...present])]
}

const at = (value: Members | null, name: string): Plain =>
  value && Object.hasOwn(value, name) ? (value[name] as Plain) : null

function ofMembers(path: Step[], was: Members | null, is: Members | null, { field, secrets, known }: Declared): Leaf[] {
  return namesOf(field, was, is).flatMap((name) => {
    const own = field?.members && Object.hasOwn(field.members, name) ? field.members[name] : undefined
    const step: Step = field?.keys ? { as: 'named', id: name } : { as: 'member', name, label: own?.label ?? null }
    const member = { field: field && memberOf(field, name), secrets: secretsIn(secrets, name), known }
    return leaves([...path, step], at(was, name), at(is, name), member)
  })
}

/** The member that tells all items of both lists apart, if there is one. */
const keyIn = (field: Field | undefined, ...lists: Members[][]) =>
  [...(field?.key ? [field.key] : []), ...usualKeys].find((key) =>
    lists.every((list) => {
      const ids = list.map((each) => at(each, key))
      return ids.every((id) => typeof id === 'string') && new Set(ids).size === list.length
    }),
  )

function ofRecords(path: Step[], was: Members[], is: Members[], declared: Declared): Leaf[] {
  const key = keyIn(declared.field, was, is)
  return key === undefined ? byPlace(path, was, is, declared) : byKey(path, key, [was, is], declared)
}

function byKey(path: Step[], key: string, [was, is]: [Members[], Members[]], declared: Declared): Leaf[] {
  const keyed = (list: Members[]) => new Map(list.map(({ [key]: id, ...rest }) => [String(id), rest]))
  const [before, after] = [keyed(was), keyed(is)]
  const [ids, now] = [[...before.keys()], [...after.keys()]]
  const keyField = declared.field && memberOf(declared.field, key)
  const list = listDiff(ids, now, (id) => shown({ value: id }, keyField) ?? item(id, undefined))
  // what states its own order shows it there
  const stated = ids.some((id) => !isSame(at(before.get(id) ?? null, 'order'), at(after.get(id) ?? null, 'order')))
  const differs = list.moved ? !isSame(ids, now) && !stated : true
  return [
    ...(differs ? [{ path, diff: list }] : []),
    ...[...new Set([...ids, ...now])].flatMap((id) =>
      ofMembers([...path, { as: 'named', id }], before.get(id) ?? null, after.get(id) ?? null, declared),
    ),
  ]
}

function byPlace(path: Step[], was: Members[], is: Members[], declared: Declared): Leaf[] {
  if (without(was, is).length === 0 && without(is, was).length === 0)
    return [{ path, diff: listDiff(was, is, (each) => item(each, undefined)) }]
  const same = (one: Members | undefined, other: Members | undefined) => !!one && !!other && isSame(one, other)
  const shorter = Math.min(was.length, is.length)
  let first = 0
  while (first < shorter && same(was[first], is[first])) first++
  let last = 0
  while (last < shorter - first && same(was.at(-1 - last), is.at(-1 - last))) last++
  const [taken, added] = [was.slice(first, was.length - last), is.slice(first, is.length - last)]
  return Array.from({ length: Math.max(taken.length, added.length) }, (_, n) =>
    ofMembers([...path, { as: 'place', number: first + n + 1 }], taken[n] ?? null, added[n] ?? null, declared),
  ).flat()
}
