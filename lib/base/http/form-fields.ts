import { z } from 'zod'

const emptyAsAbsent = (value: unknown) => (value === '' || value === null ? undefined : value)

/**
 * Returns the schema of an optional form field: absent, empty and null mean the same (docs/rules/rest.md#form-fields).
 * A value must match the schema.
 */
export const formField = <S extends z.ZodType>(schema: S) =>
  z.preprocess(emptyAsAbsent, schema.optional()).optional() as unknown as z.ZodOptional<
    z.ZodType<z.output<S> | undefined, z.input<S> | '' | null | undefined>
  >

/** A field that forms send and the call never uses: it must be empty. */
export const emptyField = () => formField(z.never({ error: 'errorUnknownField' }))
