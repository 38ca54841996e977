import { CallError } from '@/lib/base/http/client'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import type { Failure } from '../../_ui/failure'
import { termFieldId } from '../../_ui/use-terms'

/**
 * Converts a refused call of a registration into errors of its form: missing agreements are requested, together with
 * other wrong fields. Throws all other errors.
 */
export function refusalOf(error: unknown, renew: (terms: TermsRequired[]) => void): Failure {
  if (!(error instanceof CallError)) throw error
  const { code, data, errorList } = error
  if (data.termsRequired) {
    renew(data.termsRequired)
    const terms = new Map(data.termsRequired.map(({ id }) => [`termsAgree.${id}`, termFieldId(id)]))
    return {
      kind: 'form',
      errorList: errorList.map((fault) => {
        const field = terms.get(fault.field)
        return field ? { field, code: 'errorTerms' } : fault
      }),
    }
  }
  // these texts name a day, where a countdown wouldn't help
  if (code === 'registrationDailyLimit' || code === 'registrationEmailLimit') return { kind: 'refused', code }
  throw error
}
