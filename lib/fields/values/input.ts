import { z } from 'zod'

/** A field's value as calls take it, before its definition is known. */
const FieldInput = z.union([z.string().max(10_000), z.boolean(), z.array(z.string().max(255)).max(200), z.null()])
/** Values by the codes of their fields. */
export const FieldInputs = z
  .record(z.string().max(64), FieldInput)
  .refine((values) => Object.keys(values).length <= 200, 'errorTooMany')

/** The codes that the definitions of dynamic fields answer, for `errors` of a contract. */
export const fieldErrors = {
  errorTooShort: 400,
  errorLatinText: 400,
  errorPattern: 400,
  errorDate: 400,
  errorOption: 400,
  errorMobile: 400,
  errorEmail: 400,
  errorUnique: 400,
} as const
