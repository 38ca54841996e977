import type { FieldType } from '../values/definition'

/** What each purpose of a field allows, and what its values may be (docs/rules/people.md#definitions-of-fields). */
type Flags = {
  adminRequired: boolean
  adminVisible: boolean
  adminEdit: boolean
  profileRequired: boolean
  profileVisible: boolean
  profileEdit: boolean
  integrationRequired: boolean
  unique: boolean
  multiple: boolean
}
type Item = { id: string; code: string }
type Typed = { fieldType: FieldType }
export type FieldValues = Flags &
  Typed & {
    code: string
    subtype: string
    items: Item[]
    pattern: string | null
    minLength: number | null
    maxLength: number | null
    latin: boolean
  }

const required = { adminRequired: false, profileRequired: false, integrationRequired: false }

export const hasItems = ({ fieldType }: Typed) => fieldType === 'dropbox' || fieldType === 'combobox'
export const hasText = ({ fieldType }: Typed) => fieldType === 'input' || fieldType === 'textarea'

/** Returns whether values of a field can be different for each owner. */
export const mayBeUnique = ({ fieldType, multiple }: Typed & { multiple: boolean }) =>
  !multiple && fieldType !== 'toggle' && fieldType !== 'picture'

/**
 * Returns a field with what its flags imply: required implies editable, editable implies visible. A toggle is never
 * required, only a list has several values, and only a text has a pattern and a length.
 */
export function withImplied<T extends Omit<FieldValues, 'code' | 'subtype'>>(field: T): T {
  const needs = field.fieldType === 'toggle' ? { ...field, ...required } : field
  const adminEdit = needs.adminEdit || needs.adminRequired
  const profileEdit = needs.profileEdit || needs.profileRequired
  return {
    ...needs,
    adminEdit,
    adminVisible: needs.adminVisible || adminEdit,
    profileEdit,
    profileVisible: needs.profileVisible || profileEdit,
    multiple: needs.multiple && hasItems(needs),
    items: hasItems(needs) ? needs.items : [],
    ...(hasText(needs) ? {} : { pattern: null, minLength: null, maxLength: null, latin: false }),
  }
}

/** Returns a field as it is saved in place of another one: a new type clears the three required flags. */
export const savedAs = <T extends Omit<FieldValues, 'code' | 'subtype'>>(before: Typed, after: T): T =>
  withImplied(before.fieldType === after.fieldType ? after : { ...after, ...required })

/** What a flag needs besides itself, by name; and so what is cleared when one of these is. */
const needs: Partial<Record<keyof Flags, readonly (keyof Flags)[]>> = {
  adminRequired: ['adminEdit', 'adminVisible'],
  adminEdit: ['adminVisible'],
  profileRequired: ['profileEdit', 'profileVisible'],
  profileEdit: ['profileVisible'],
}
/** Flags of which only one can be set. */
const against: Partial<Record<keyof Flags, keyof Flags>> = { unique: 'multiple', multiple: 'unique' }

/**
 * Returns the flags that change when one is switched in a form: on, with what it implies and without what it excludes;
 * off, without what implies it.
 */
export function switchedFlags(name: keyof Flags, on: boolean): Partial<Flags> {
  const excluded = against[name]
  const others = on
    ? [...(needs[name] ?? []).map((flag) => [flag, true]), ...(excluded ? [[excluded, false]] : [])]
    : Object.entries(needs).flatMap(([flag, needed]) => (needed.includes(name) ? [[flag, false]] : []))
  return { [name]: on, ...Object.fromEntries(others) }
}

/**
 * Returns what changes in a form when the type of a field does: nothing is required any more, unless the type is that of
 * the `stored` field again, and what the new type can't be is cleared.
 */
export function retyped(
  { unique, multiple }: Pick<Flags, 'unique' | 'multiple'>,
  fieldType: FieldType,
  stored?: Typed & Pick<Flags, keyof typeof required>,
): Typed & Pick<Flags, keyof typeof required | 'unique' | 'multiple'> {
  const { adminRequired, profileRequired, integrationRequired } = stored?.fieldType === fieldType ? stored : required
  const several = multiple && hasItems({ fieldType })
  return {
    ...{ fieldType, adminRequired, profileRequired, integrationRequired, multiple: several },
    unique: unique && mayBeUnique({ fieldType, multiple: several }),
  }
}

/** What the levels of access lock; each locks what those below it do. */
const byLevel: readonly (keyof FieldValues)[][] = [
  [],
  ['code', 'fieldType', 'unique', 'multiple'],
  ['adminVisible', 'profileVisible'],
  ['adminRequired', 'profileRequired', 'integrationRequired'],
]
/** What would break a column of an account, whatever its level is. */
const ofSystemic: readonly (keyof FieldValues)[] = [
  ...(byLevel[1] ?? []),
  'subtype',
  'pattern',
  'minLength',
  'maxLength',
  'latin',
]

type Locks = { systemic: boolean; immutable: boolean; actionsAccess: number }
/** What values that are kept elsewhere depend on. */
const ofImmutable: readonly (keyof FieldValues)[] = ['code', 'fieldType']

/** Returns which parts of a field can't change; `all` if none of them can. */
export function lockedParts({ systemic, immutable, actionsAccess }: Locks): ReadonlySet<keyof FieldValues> | 'all' {
  if (actionsAccess >= byLevel.length) return 'all'
  const always = [...(systemic ? ofSystemic : []), ...(immutable ? ofImmutable : [])]
  return new Set([...byLevel.slice(0, actionsAccess + 1).flat(), ...always])
}

/** Returns whether a field can be deleted: not what is shipped or immutable, nor what nothing of may change. */
export const isDeletable = (field: Locks) => !field.systemic && !field.immutable && lockedParts(field) !== 'all'

/** Returns whether a field can be switched on or off. A shipped one stays on. */
export const isSwitchable = (field: Locks, active: boolean) =>
  lockedParts(field) !== 'all' && (active || !field.systemic)

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Returns the names of what a save must not change in a field, as a form names them. The code of an item never changes,
 * because values refer to it. Items of a systemic field neither come nor go.
 */
export function lockedChanges<T extends FieldValues>(before: T & Locks, after: T): string[] {
  const locked = lockedParts(before)
  const names = (locked === 'all' ? (Object.keys(after) as (keyof T)[]) : [...locked]).filter(
    (name) => name !== 'items' && !isSame(before[name], after[name]),
  )
  const codes = new Map(before.items.map(({ id, code }) => [id, code]))
  const recoded = after.items.flatMap(({ id, code }, at) =>
    codes.has(id) && codes.get(id) !== code ? [`items.${at}.code`] : [],
  )
  const known = (items: readonly Item[]) => items.map(({ code }) => code).toSorted()
  const fixed = locked === 'all' ? !isSame(before.items, after.items) : before.systemic
  const changed = fixed && (locked === 'all' || !isSame(known(before.items), known(after.items)))
  return [...names.map(String), ...recoded, ...(changed ? ['items'] : [])]
}

/** Returns whether an order names each of these exactly once. */
export const isWholeOrder = (ids: readonly string[], order: readonly { id: string }[]) =>
  ids.length === order.length &&
  new Set(order.map(({ id }) => id)).size === ids.length &&
  order.every(({ id }) => ids.includes(id))
