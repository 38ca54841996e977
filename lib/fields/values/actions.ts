import { type Definition, isFilled, storedUnder } from './definition'
import type { Values } from './values'

type FieldPlace = Pick<Definition, 'type' | 'code' | 'subtype'>

/**
 * Returns whether a value counts as information about an action. A toggle that is off doesn't, because every form sends
 * one.
 */
const isSaid = (value: unknown) => isFilled(value) && value !== false

/**
 * Returns whether a field applies to a person with these values. A field of personnel actions applies only to people
 * with an action of its type, who have a value in its block (docs/rules/people.md#definitions-of-fields). Any other
 * field applies to everybody.
 */
export const concerns = (fields: readonly FieldPlace[], field: FieldPlace, values: Values): boolean =>
  field.type !== 'personnel-actions' ||
  fields.some(
    ({ type, code, subtype }) =>
      type === field.type && subtype.code === field.subtype.code && isSaid(storedUnder(values, code)),
  )

/**
 * Returns the fields of the actions that a person gets by a change. The change must contain the required ones, whatever
 * else it leaves out.
 */
export const begunActionFields = <F extends FieldPlace>(fields: readonly F[], before: Values, after: Values): F[] =>
  fields.filter(
    (field) => field.type === 'personnel-actions' && concerns(fields, field, after) && !concerns(fields, field, before),
  )
