import { z } from 'zod'

const filled = (value: unknown) => (value === '' || value === null ? undefined : value)

/**
 * A field of a form that a call knows and doesn't always need: absent, empty and null are the same
 * (docs/rules/rest.md#form-fields). What is filled in must be as the schema says.
 */
export const formField = <S extends z.ZodType>(schema: S) =>
  z.preprocess(filled, schema.optional()).optional() as unknown as z.ZodOptional<
    z.ZodType<z.output<S> | undefined, z.input<S> | '' | null | undefined>
  >

/** A field that forms carry along and a call never takes: only empty. */
export const emptyField = () => formField(z.never({ error: 'errorUnknownField' }))
