import { type Definition, isFilled, storedUnder } from './definition'
import type { Values } from './values'

type Asked = Pick<Definition, 'type' | 'code' | 'subtype'>

/** Whether a value says something of an action: a toggle that is off stands in every form. */
const says = (value: unknown) => isFilled(value) && value !== false

/**
 * Returns whether somebody with these values has what a field is about. A field of personnel actions is required of people
 * with an action of its type alone: who have a value in its block (docs/rules/people.md#definitions-of-fields). Any other
 * field is about everybody.
 */
export const concerns = (fields: readonly Asked[], field: Asked, values: Values): boolean =>
  field.type !== 'personnel-actions' ||
  fields.some(
    ({ type, code, subtype }) =>
      type === field.type && subtype.code === field.subtype.code && says(storedUnder(values, code)),
  )

/**
 * Returns the fields of the actions that somebody gets by a change: of those the required ones must come with it, whatever
 * else the change may leave out.
 */
export const begun = <F extends Asked>(fields: readonly F[], before: Values, after: Values): F[] =>
  fields.filter(
    (field) => field.type === 'personnel-actions' && concerns(fields, field, after) && !concerns(fields, field, before),
  )
