import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { CallInput } from '@/lib/kernel/http/contract'

declare const value: unique symbol

/**
 * The name of a form's field whose value is a `T`. Only `fieldsOf` and `rowFields` create one, from a contract's body:
 * a name that the body doesn't have, or a control for another kind of value, doesn't compile.
 */
export type FieldName<T = unknown> = string & { readonly [value]: T }

/** What a call takes as its body. */
export type BodyOf<C> = CallInput<C> extends { body: infer B extends FieldValues } ? B : never

/** The source of field names: a form, or only its type. */
export type FieldsOf<V> = { readonly values?: V }

/** Names the fields of a form, nested ones and those of rows too: `settings.lang`, `ips.0.ip`. */
export const fieldsOf =
  <V extends FieldValues>(_form: FieldsOf<V>) =>
  <P extends FieldPath<V>>(name: P) =>
    name as string as FieldName<FieldPathValue<V, P>>

/** The same for a form without `useContractForm`, such as those of public pages. */
export const bodyFields = <C>() => fieldsOf<BodyOf<C>>({})

/** Names the fields of one row of a list. */
export type RowFields<Row extends FieldValues> = <P extends FieldPath<Row>>(
  name: P,
) => FieldName<FieldPathValue<Row, P>>

/** Names the fields of the row at `path`, such as `ips.0`. */
export const rowFields =
  <Row extends FieldValues>(path: string): RowFields<Row> =>
  (name) =>
    `${path}.${name}` as string as never

/** The name of a field that no call takes: one that only a page's own address or a password manager reads. */
export const ownField = (name: string) => name as FieldName<string>
