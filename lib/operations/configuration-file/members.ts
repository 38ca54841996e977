import { z } from 'zod'

/** The column of a member: a file has an empty text for none, and a time as text. */
type Column<V> = V extends readonly (infer Item)[]
  ? readonly Column<Item>[]
  : V extends object
    ? { readonly [M in keyof V]: Column<V[M]> }
    : V | (string extends V ? Date | null : never)

/** The members of an object that a row has no column for; a secret is never a column. */
type Missing<C, R> = {
  [M in keyof C]: M extends keyof R ? (M extends 'secret' ? M : R[M] extends Column<C[M]> ? never : M) : M
}[keyof C]
/** What is added to a row for an object: what it has no column for, and what isn't its column. */
export type Others<C, R> = Column<Pick<C, Missing<C, R>> & Partial<C>>

/**
 * Returns a value as a file has it: of rows the members of the schema in their order, an empty text in place of none, and
 * a time as text.
 */
export function membersOf(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodDefault) return membersOf(schema.unwrap() as z.ZodType, value)
  if (schema instanceof z.ZodNullable) return value === null ? null : membersOf(schema.unwrap() as z.ZodType, value)
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).map((item) => membersOf(schema.element as z.ZodType, item))
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).map(([name, member]) => [
        name,
        membersOf(member as z.ZodType, (value as Record<string, unknown>)[name]),
      ]),
    )
  if (schema instanceof z.ZodString) return value instanceof Date ? value.toISOString() : (value ?? '')
  return value
}
