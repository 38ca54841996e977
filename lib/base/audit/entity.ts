import { type Area, areas } from '../access/access-methods'
import type { EntityName } from '../contracts/entity-names.generated'

/** Objects with an id and a name: the history shows the name in place of a value that is an id. */
export type Referred =
  | 'applications'
  | 'authenticationSchemas'
  | 'banners'
  | 'contractors'
  | 'deviceTypes'
  | 'documents'
  | 'domains'
  | 'dynamicFields'
  | 'invitations'
  | 'locales'
  | 'networkAliases'
  | 'oidcClients'
  | 'organizations'
  | 'roles'
  | 'users'

/** How a value is shown and compared with another one. */
type Kind = 'text' | 'number' | 'yesNo' | 'date' | 'choice' | 'list' | 'reference' | 'json'

/**
 * The secret parts of a value: `true` for all of it, `address` for what may be a token in an address, else its members.
 * `*` means every other member.
 */
export type Secrets = true | 'address' | { readonly [member: string]: Secrets }
/** The secret parts of values of this type. For a list they apply to each item. */
export type SecretsOf<V> = V extends readonly (infer I)[]
  ? SecretsOf<I>
  : V extends object
    ? true | { readonly [K in keyof V]?: SecretsOf<V[K]> }
    : true

/** One field of an entity. `V` is the type of its values. */
export type Field<V = unknown> = {
  kind: Kind
  /** Key of its name in messages/{ru,en}. */
  label: string
  secrets?: Secrets
  /** Of a reference: the kind of object. Of a list of ids: the kind of its items, or of each of their members. */
  to?: Referred | Readonly<Record<string, Referred>>
  /** Of a value with members, or of the items of a list: the field of each member, `*` for every other one. */
  members?: Members
  /** Of a value with members named by ids: the kind of object. */
  keys?: Referred
  /** Of a list of values with members: the member that identifies an item. */
  key?: string
  /** Of a choice, or of the items of a list: the possible values, and the key under which each has its text. */
  values?: readonly string[]
  texts?: string
  /** Only for the type of the values; it is never set. */
  readonly type?: V
}
export type Fields = Record<string, Field>
/**
 * Members of a value by their names. A member with an empty label isn't named: its own members take its place. Only the
 * field declares secrets.
 */
type Members = Readonly<Record<string, Field>>

export const text = (label: string): Field<string> => ({ kind: 'text', label })
export const number = (label: string): Field<number> => ({ kind: 'number', label })
export const yesNo = (label: string): Field<boolean> => ({ kind: 'yesNo', label })
/** A moment or a day: a Date, or its text in ISO form. */
export const date = (label: string): Field<Date | string> => ({ kind: 'date', label })
/** One of `values`, each with its text under `texts`. */
export const choice = <V extends string>(label: string, values: readonly V[], texts: string): Field<V> => ({
  kind: 'choice',
  label,
  values,
  texts,
})
/** The id of another object; the history shows its name. */
export const reference = (label: string, to: Referred): Field<string> => ({ kind: 'reference', label, to })
/** A list of ids of other objects; the history shows their names. */
export const references = (label: string, to: Referred): Field<readonly string[]> => ({ kind: 'list', label, to })
/** A list of items whose members are ids of other objects. */
export const combinations = <I extends object>(
  label: string,
  to: { readonly [K in keyof I]: Referred },
): Field<readonly I[]> => ({ kind: 'list', label, to })
/** A list of values, each compared as a whole. */
export const list = <I>(label: string, secrets?: SecretsOf<I>): Field<readonly I[]> => ({
  kind: 'list',
  label,
  ...(secrets ? { secrets: secrets as Secrets } : {}),
})
/** A list of some of `values`, each with its text under `texts`. */
export const choices = (label: string, values: readonly string[], texts: string): Field<readonly string[]> => ({
  kind: 'list',
  label,
  values,
  texts,
})
/** A list of values with members. The member `key` identifies an item; without it, its place does. */
export const records = <I extends object>(
  label: string,
  key: string | null,
  members: Members,
): Field<readonly I[]> => ({
  kind: 'list',
  label,
  members,
  ...(key === null ? {} : { key }),
})
/** A value with members. `secrets` names the secret ones, at any depth; `members` has their fields in the history. */
export const json = <V extends object>(label: string, secrets?: SecretsOf<V>, members?: Members): Field<V> => ({
  kind: 'json',
  label,
  ...(secrets ? { secrets: secrets as Secrets } : {}),
  ...(members ? { members } : {}),
})
/** A value with a member for each of some other objects, by id; the history shows their names. */
export const jsonOf = <V extends object>(label: string, keys: Referred, member: Field): Field<V> => ({
  kind: 'json',
  label,
  keys,
  members: { '*': member },
})
/** A value of any kind, shown as it is, such as that of a field that administrators define. */
export const anything = (label: string): Field<unknown> => ({ kind: 'text', label })
/** An address of another system: the history doesn't contain the values of its parameters. */
export const address = (label: string): Field<string> => ({ kind: 'text', label, secrets: 'address' })
/** A secret: the history shows only whether it is set or has changed. */
export const secret = (label: string): Field<unknown> => ({ kind: 'text', label, secrets: true })

/** A kind of thing whose changes are recorded. */
export type Entity<F extends Fields = Fields> = {
  name: EntityName
  fields: F
  /** The area whose `<area>.read` shows its history, like `history.read`, if no area has the entity's own name. */
  area?: Area
}

/** Declares an entity, once, in its module's `entity.ts`. A field `prefix*` stands for all fields with this prefix. */
export const defineEntity = <const F extends Fields>(
  name: EntityName,
  fields: F,
  options: Pick<Entity, 'area'> = {},
): Entity<F> => ({ name, fields, ...options })

/** The area that an entity belongs to. */
export const areaOf = ({ name, area }: Pick<Entity, 'name' | 'area'>): Area | undefined =>
  area ?? areas.find((candidate) => candidate === name)

type NamesOf<K> = K extends `${infer Prefix}*` ? `${Prefix}${string}` : K
/** The fields that may be recorded of an entity. */
export type FieldName<F extends Fields> = NamesOf<keyof F & string>
type ValueOf<F extends Fields, N> =
  F[{ [K in keyof F & string]: N extends NamesOf<K> ? K : never }[keyof F & string]] extends Field<infer V> ? V : never

/** Values of the fields `K` of an entity, as a change is recorded from them. */
export type Recorded<F extends Fields, K extends FieldName<F>> = { [N in K]: ValueOf<F, N> | null | undefined }

/** Returns the declared name of a field: its own, or its prefix with `*`; undefined if it isn't declared. */
export function declaredAs({ fields }: Entity, name: string): string | undefined {
  if (name.endsWith('*')) return undefined
  if (Object.hasOwn(fields, name)) return name
  return Object.keys(fields).find((key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)))
}

/** Returns the field of a member of a value: its own, or that of every other member. */
export const memberOf = ({ members }: Field, name: string): Field | undefined =>
  members && (Object.hasOwn(members, name) ? members[name] : members['*'])

/** Returns the fields of a row or an input that its entity declares, and that are recorded. */
export function recorded<F extends Fields, R extends object>(
  entity: Entity<F>,
  row: R,
): Pick<R, keyof R & keyof F & string> {
  const declared = Object.entries(row).filter(([name]) => declaredAs(entity, name))
  return Object.fromEntries(declared) as Pick<R, keyof R & keyof F & string>
}
