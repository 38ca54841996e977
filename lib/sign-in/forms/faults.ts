import { CallError } from '@/lib/base/http/client'
import { agreementFault } from '@/lib/base/http/form-terms'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'

/** Throws 400 with the faults of a form, if it has any. */
export function requireNone(errorList: FieldError[]) {
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
}

/**
 * Returns the error of a call with its faults at the fields of the form. An agreement that the form didn't ask for is
 * among them: the page, drawn again, has its box. Other errors stay as they are. `names` are the form's names of fields
 * that the call names in another way.
 */
export function asFaults(error: unknown, names: Record<string, string> = {}): unknown {
  if (!(error instanceof CallError) || error.errorList.length === 0) return error
  const errorList = error.errorList
    .map(agreementFault)
    .map(({ field, ...fault }) => ({ field: names[field] ?? field, ...fault }))
  return new AppError(400, undefined, { errorList })
}

/** The codes of calls about a link that became invalid while its page was open. */
const ofDeadLinks = new Set([
  ...['linkUsed', 'canceledError', 'accessError', 'notFound', 'conflict'],
  // of a registration
  ...['registrationDisabled', 'errorEmailRegistered'],
  // of an invitation, which may also have been answered elsewhere, or another account signed in
  ...['expired', 'used', 'canceled', 'active', 'invitationSignIn'],
])

/**
 * Makes the call of a link's page. Returns undefined if the link has become invalid: its page, drawn again, says why.
 * Throws all other errors.
 */
export async function unlessDead<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof CallError && ofDeadLinks.has(error.code))) throw error
    return undefined
  }
}
