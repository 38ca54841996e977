import type { FieldType } from '../values/definition'

/**
 * What a field allows in the administration, in the profile and for exchanges, and what its values may be
 * (docs/rules/people.md#definitions-of-fields).
 */
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
type WithType = { fieldType: FieldType }
export type FieldValues = Flags &
  WithType & {
    code: string
    subtype: string
    items: Item[]
    pattern: string | null
    minLength: number | null
    maxLength: number | null
    latin: boolean
  }

const notRequired = { adminRequired: false, profileRequired: false, integrationRequired: false }

export const hasItems = ({ fieldType }: WithType) => fieldType === 'dropbox' || fieldType === 'combobox'
export const hasText = ({ fieldType }: WithType) => fieldType === 'input' || fieldType === 'textarea'

/** Returns whether values of a field can be different for each owner. */
export const mayBeUnique = ({ fieldType, multiple }: WithType & { multiple: boolean }) =>
  !multiple && fieldType !== 'toggle' && fieldType !== 'picture'

/**
 * Returns a field with what its flags imply: required implies editable, editable implies visible. A toggle is never
 * required, only a list has several values, and only a text has a pattern and a length.
 */
export function withImplied<T extends Omit<FieldValues, 'code' | 'subtype'>>(field: T): T {
  const base = field.fieldType === 'toggle' ? { ...field, ...notRequired } : field
  const adminEdit = base.adminEdit || base.adminRequired
  const profileEdit = base.profileEdit || base.profileRequired
  return {
    ...base,
    adminEdit,
    adminVisible: base.adminVisible || adminEdit,
    profileEdit,
    profileVisible: base.profileVisible || profileEdit,
    multiple: base.multiple && hasItems(base),
    items: hasItems(base) ? base.items : [],
    ...(hasText(base) ? {} : { pattern: null, minLength: null, maxLength: null, latin: false }),
  }
}

/** Returns a field as it replaces another one: a new type clears the three required flags. */
export const savedAs = <T extends Omit<FieldValues, 'code' | 'subtype'>>(before: WithType, after: T): T =>
  withImplied(before.fieldType === after.fieldType ? after : { ...after, ...notRequired })

/** The flags that each flag implies. If one of these is cleared, the flag is cleared too. */
const impliedFlags: Partial<Record<keyof Flags, readonly (keyof Flags)[]>> = {
  adminRequired: ['adminEdit', 'adminVisible'],
  adminEdit: ['adminVisible'],
  profileRequired: ['profileEdit', 'profileVisible'],
  profileEdit: ['profileVisible'],
}
/** Pairs of flags of which only one can be set. */
const exclusiveFlags: Partial<Record<keyof Flags, keyof Flags>> = { unique: 'multiple', multiple: 'unique' }

/**
 * Returns the flags that change when one is switched in a form. Switching it on also sets those that it implies and
 * clears the one that it excludes; switching it off also clears those that imply it.
 */
export function switchedFlags(name: keyof Flags, on: boolean): Partial<Flags> {
  const excluded = exclusiveFlags[name]
  const otherFlags = on
    ? [...(impliedFlags[name] ?? []).map((flag) => [flag, true]), ...(excluded ? [[excluded, false]] : [])]
    : Object.entries(impliedFlags).flatMap(([flag, implied]) => (implied.includes(name) ? [[flag, false]] : []))
  return { [name]: on, ...Object.fromEntries(otherFlags) }
}

/**
 * Returns what changes in a form with the type of a field: nothing is required any more, unless it is the type of the
 * `stored` field again, and flags that the new type can't have are cleared.
 */
export function retyped(
  { unique, multiple }: Pick<Flags, 'unique' | 'multiple'>,
  fieldType: FieldType,
  stored?: WithType & Pick<Flags, keyof typeof notRequired>,
): WithType & Pick<Flags, keyof typeof notRequired | 'unique' | 'multiple'> {
  const { adminRequired, profileRequired, integrationRequired } = stored?.fieldType === fieldType ? stored : notRequired
  const isMultiple = multiple && hasItems({ fieldType })
  return {
    ...{ fieldType, adminRequired, profileRequired, integrationRequired, multiple: isMultiple },
    unique: unique && mayBeUnique({ fieldType, multiple: isMultiple }),
  }
}

/** The parts that each level of access locks; a level also locks those of the levels below. */
const lockedByLevel: readonly (keyof FieldValues)[][] = [
  [],
  ['code', 'fieldType', 'unique', 'multiple'],
  ['adminVisible', 'profileVisible'],
  ['adminRequired', 'profileRequired', 'integrationRequired'],
]
/** The parts whose change would break a column of an account, locked on every level. */
const lockedIfSystemic: readonly (keyof FieldValues)[] = [
  ...(lockedByLevel[1] ?? []),
  'subtype',
  'pattern',
  'minLength',
  'maxLength',
  'latin',
]

type Locks = { systemic: boolean; immutable: boolean; actionsAccess: number }
/** The parts on which values that are stored elsewhere depend. */
const lockedIfImmutable: readonly (keyof FieldValues)[] = ['code', 'fieldType']

/** Returns the parts of a field that can't change; `all` if none can. */
export function lockedParts({ systemic, immutable, actionsAccess }: Locks): ReadonlySet<keyof FieldValues> | 'all' {
  if (actionsAccess >= lockedByLevel.length) return 'all'
  const alwaysLocked = [...(systemic ? lockedIfSystemic : []), ...(immutable ? lockedIfImmutable : [])]
  return new Set([...lockedByLevel.slice(0, actionsAccess + 1).flat(), ...alwaysLocked])
}

/** Returns whether a field can be deleted. A shipped or immutable one can't, nor one of which no part may change. */
export const isDeletable = (field: Locks) => !field.systemic && !field.immutable && lockedParts(field) !== 'all'

/** Returns whether a field can be switched on or off. A shipped one stays on. */
export const isSwitchable = (field: Locks, active: boolean) =>
  lockedParts(field) !== 'all' && (active || !field.systemic)

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Returns the names of the parts that a save changes although they are locked, as a form names them. The code of an
 * item never changes, because values refer to it. A systemic field gains and loses no items.
 */
export function lockedChanges<T extends FieldValues>(before: T & Locks, after: T): string[] {
  const locked = lockedParts(before)
  const names = (locked === 'all' ? (Object.keys(after) as (keyof T)[]) : [...locked]).filter(
    (name) => name !== 'items' && !isSame(before[name], after[name]),
  )
  const codes = new Map(before.items.map(({ id, code }) => [id, code]))
  const recoded = after.items.flatMap(({ id, code }, index) =>
    codes.has(id) && codes.get(id) !== code ? [`items.${index}.code`] : [],
  )
  const codesOf = (items: readonly Item[]) => items.map(({ code }) => code).toSorted()
  const isFixed = locked === 'all' ? !isSame(before.items, after.items) : before.systemic
  const itemsChanged = isFixed && (locked === 'all' || !isSame(codesOf(before.items), codesOf(after.items)))
  return [...names.map(String), ...recoded, ...(itemsChanged ? ['items'] : [])]
}

/** Returns whether an order names each of these exactly once. */
export const isWholeOrder = (ids: readonly string[], order: readonly { id: string }[]) =>
  ids.length === order.length &&
  new Set(order.map(({ id }) => id)).size === ids.length &&
  order.every(({ id }) => ids.includes(id))
