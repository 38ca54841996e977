import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { CallInput } from '@/lib/base/contracts/contract'

declare const value: unique symbol

/**
 * The name of a form's field whose value is a `T`. Only `fieldsOf` and `rowFields` create one, from a contract's body.
 * A name that the body doesn't have, or a control for another type of value, doesn't compile.
 */
export type FieldName<T = unknown> = string & { readonly [value]: T }

/** The type of a call's body. */
export type BodyOf<C> = CallInput<C> extends { body: infer B extends FieldValues } ? B : never

/** A form, or only its type. */
export type FieldsOf<V> = { readonly values?: V }

/** Returns the names of a form's fields, including nested ones and those of rows: `settings.lang`, `ips.0.ip`. */
export const fieldsOf =
  <V extends FieldValues>(_form: FieldsOf<V>) =>
  <P extends FieldPath<V>>(name: P) =>
    name as string as FieldName<FieldPathValue<V, P>>

/** The same for a form without `useContractForm`, as on public pages. */
export const bodyFields = <C>() => fieldsOf<BodyOf<C>>({})

/** Returns the names of the fields of one row of a list. */
export type RowFields<Row extends FieldValues> = <P extends FieldPath<Row>>(
  name: P,
) => FieldName<FieldPathValue<Row, P>>

/** Returns the names of the fields of the row at `path`, such as `ips.0`. */
export const rowFields =
  <Row extends FieldValues>(path: string): RowFields<Row> =>
  (name) =>
    `${path}.${name}` as string as never

/** Returns the name of a field that no call takes: only the page's address or a password manager reads it. */
export const ownField = (name: string) => name as FieldName<string>
