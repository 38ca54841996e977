import { CallError } from '@/lib/base/http/client'
import { agreementFault } from '@/lib/base/http/form-terms'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'

/** Throws the faults of a form that no call finds. */
export function requireNone(errorList: FieldError[]) {
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
}

/**
 * Returns the error of a call with the faults of the form, by the names of its fields; missing agreements are among
 * them. Other errors stay as they are. `names` are the form's names of fields that the call names in another way.
 */
export function asFaults(error: unknown, names: Record<string, string> = {}): unknown {
  if (!(error instanceof CallError) || error.errorList.length === 0) return error
  const errorList = error.errorList
    .map(agreementFault)
    .map(({ field, ...fault }) => ({ field: names[field] ?? field, ...fault }))
  return new AppError(400, undefined, { errorList })
}

/** The codes of failed calls after which the page of a link says why the link is dead. */
export const deadLinkCodes = [
  'linkUsed',
  'canceledError',
  'accessError',
  'notFound',
  'conflict',
  'registrationDisabled',
  'errorEmailRegistered',
]
