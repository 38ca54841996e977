import { CallError } from '@/lib/base/http/client'
import { agreementFault } from '@/lib/base/http/form-terms'
import { AppError } from '@/lib/base/runtime/errors'

/**
 * Returns an error of a call with its faults at the boxes of the form, also for agreements that it didn't ask for: the
 * page, drawn again, has them. Any other error is returned as it is.
 */
export function withTermFaults(error: unknown): unknown {
  if (!(error instanceof CallError) || !error.data.termsRequired) return error
  return new AppError(400, undefined, { errorList: error.errorList.map(agreementFault) })
}
