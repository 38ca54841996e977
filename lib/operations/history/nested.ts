import { type Field, memberOf, type Secrets } from '@/lib/base/audit/entity'
import { isSame, type Plain, secretsIn } from '@/lib/base/audit/values'
import { mask } from '@/lib/base/text/masks'
import { displayed, item, listDiff, missingItems, type PlainDiff, secretDiff } from './shown'

/** One step into a value: to a member, to an item with an id or a code, or to an item by its position. */
export type Step =
  /** `label` is the key of its name in messages/{ru,en}: null if it has none, empty if it isn't named. */
  | { as: 'member'; name: string; label: string | null }
  | { as: 'named'; id: string }
  /** Counted from 1. */
  | { as: 'place'; number: number }

/** The difference at one place of a value. */
export type Leaf = { path: Step[]; diff: PlainDiff }

type Members = { [member: string]: Plain }
/** What is declared of a value inside another one; `known`: the outermost value has a declaration. */
type Declared = { field: Field | undefined; secrets: Secrets | undefined; known: boolean }

/** Members that identify an item where nothing is declared. */
const usualKeys = ['id', 'localeId', 'code', 'key']

const isDuration = (value: Members) =>
  typeof value.unit === 'string' && typeof value.value === 'number' && Object.keys(value).length === 2

/** Whether a value has members that are compared one by one; a number with its unit is one value. */
const isNested = (value: Plain): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isDuration(value)

/** Whether a list contains values with members; items that are only references are compared as a whole. */
const areRecords = (value: Plain, field: Field | undefined): value is Members[] =>
  Array.isArray(value) && value.length > 0 && typeof field?.to !== 'object' && value.every(isNested)

/** Returns whether a value of a field has parts that may change one by one. */
export const hasParts = (value: Plain, field: Field | undefined) => isNested(value) || areRecords(value, field)

/**
 * Returns a value without its empty parts: null, an empty text, an empty list or an empty object. People see no
 * difference between them. Items keep their position.
 */
export function withoutEmpty(value: Plain): Plain {
  if (value === '' || value === null) return null
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.length > 0 ? value.map(withoutEmpty) : null
  const members = Object.entries(value).flatMap(([name, inner]) => {
    const nonEmpty = withoutEmpty(inner)
    return nonEmpty === null ? [] : [[name, nonEmpty] as const]
  })
  return members.length > 0 ? Object.fromEntries(members) : null
}

/** Returns each place at which two values of a field differ, with both values; secrets must be masked already. */
export const leavesOf = (field: Field | undefined, before: Plain, after: Plain): Leaf[] =>
  leaves([], withoutEmpty(before), withoutEmpty(after), { field, secrets: field?.secrets, known: field !== undefined })

function formOf(value: Plain, field: Field | undefined) {
  if (value === null) return null
  if (areRecords(value, field)) return 'records'
  if (Array.isArray(value)) return 'list'
  return isNested(value) ? 'members' : 'one'
}

function leaves(path: Step[], before: Plain, after: Plain, declared: Declared): Leaf[] {
  if (isSame(before, after)) return []
  const { field } = declared
  const [oldForm, newForm] = [formOf(before, field), formOf(after, field)]
  const lists = Array.isArray(before) && Array.isArray(after)
  // a value whose form changed counts as removed, and the new one as added
  if (oldForm && newForm && oldForm !== newForm && !lists)
    return [...leaves(path, before, null, declared), ...leaves(path, null, after, declared)]
  const form = lists && oldForm !== newForm ? 'list' : (oldForm ?? newForm)
  if (form === 'members') return memberLeaves(path, before as Members | null, after as Members | null, declared)
  if (form === 'records') return recordLeaves(path, (before ?? []) as Members[], (after ?? []) as Members[], declared)
  if (form === 'list') {
    const [removed, added] = [(before ?? []) as Plain[], (after ?? []) as Plain[]]
    return [{ path, diff: listDiff(removed, added, (inner) => item(inner, field)) }]
  }
  return [{ path, diff: singleDiff(before, after, declared) }]
}

function singleDiff(before: Plain, after: Plain, { field, secrets, known }: Declared): PlainDiff {
  const hidden = (value: Plain) => value === mask && (secrets !== undefined || !known)
  if (hidden(before) || hidden(after)) return secretDiff(before, after)
  return { kind: 'value', previous: displayed({ value: before }, field), current: displayed({ value: after }, field) }
}

/** Returns the members in the order of their declaration, then undeclared ones. */
function namesOf(field: Field | undefined, ...values: (Members | null)[]) {
  const present = new Set(values.flatMap((value) => Object.keys(value ?? {})))
  const declared = Object.keys(field?.members ?? {}).filter((name) => present.has(name))
  return [...new Set([...declared, ...present])]
}

const memberValue = (value: Members | null, name: string): Plain =>
  value && Object.hasOwn(value, name) ? (value[name] as Plain) : null

function memberLeaves(
  path: Step[],
  before: Members | null,
  after: Members | null,
  { field, secrets, known }: Declared,
): Leaf[] {
  return namesOf(field, before, after).flatMap((name) => {
    const ownField = field?.members && Object.hasOwn(field.members, name) ? field.members[name] : undefined
    const step: Step = field?.keys ? { as: 'named', id: name } : { as: 'member', name, label: ownField?.label ?? null }
    const member = { field: field && memberOf(field, name), secrets: secretsIn(secrets, name), known }
    return leaves([...path, step], memberValue(before, name), memberValue(after, name), member)
  })
}

/** Returns the member that identifies all items of both lists, if there is one. */
const keyIn = (field: Field | undefined, ...lists: Members[][]) =>
  [...(field?.key ? [field.key] : []), ...usualKeys].find((key) =>
    lists.every((list) => {
      const ids = list.map((record) => memberValue(record, key))
      return ids.every((id) => typeof id === 'string') && new Set(ids).size === list.length
    }),
  )

function recordLeaves(path: Step[], before: Members[], after: Members[], declared: Declared): Leaf[] {
  const key = keyIn(declared.field, before, after)
  return key === undefined ? byPlace(path, before, after, declared) : byKey(path, key, [before, after], declared)
}

function byKey(
  path: Step[],
  key: string,
  [oldRecords, newRecords]: [Members[], Members[]],
  declared: Declared,
): Leaf[] {
  const byId = (list: Members[]) => new Map(list.map(({ [key]: id, ...rest }) => [String(id), rest]))
  const [before, after] = [byId(oldRecords), byId(newRecords)]
  const [oldIds, newIds] = [[...before.keys()], [...after.keys()]]
  const keyField = declared.field && memberOf(declared.field, key)
  const list = listDiff(oldIds, newIds, (id) => displayed({ value: id }, keyField) ?? item(id, undefined))
  // records with an `order` member show a changed order there
  const orderChanged = oldIds.some(
    (id) => !isSame(memberValue(before.get(id) ?? null, 'order'), memberValue(after.get(id) ?? null, 'order')),
  )
  const showsList = list.moved ? !isSame(oldIds, newIds) && !orderChanged : true
  return [
    ...(showsList ? [{ path, diff: list }] : []),
    ...[...new Set([...oldIds, ...newIds])].flatMap((id) =>
      memberLeaves([...path, { as: 'named', id }], before.get(id) ?? null, after.get(id) ?? null, declared),
    ),
  ]
}

function byPlace(path: Step[], before: Members[], after: Members[], declared: Declared): Leaf[] {
  if (missingItems(before, after).length === 0 && missingItems(after, before).length === 0)
    return [{ path, diff: listDiff(before, after, (record) => item(record, undefined)) }]
  const equal = (left: Members | undefined, right: Members | undefined) => !!left && !!right && isSame(left, right)
  const shorter = Math.min(before.length, after.length)
  let equalAtStart = 0
  while (equalAtStart < shorter && equal(before[equalAtStart], after[equalAtStart])) equalAtStart++
  let equalAtEnd = 0
  while (equalAtEnd < shorter - equalAtStart && equal(before.at(-1 - equalAtEnd), after.at(-1 - equalAtEnd)))
    equalAtEnd++
  const [removed, added] = [
    before.slice(equalAtStart, before.length - equalAtEnd),
    after.slice(equalAtStart, after.length - equalAtEnd),
  ]
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) =>
    memberLeaves(
      [...path, { as: 'place', number: equalAtStart + index + 1 }],
      removed[index] ?? null,
      added[index] ?? null,
      declared,
    ),
  ).flat()
}
