import type { TermsRequired } from '@/lib/kernel/errors'
import { CallError } from '@/lib/kernel/http/client'
import type { Failure } from '../../_ui/failure'
import { termFieldId } from '../../_ui/use-terms'

/**
 * What a refused call of a registration means for its form: agreements that lack are asked for anew, beside the other
 * fields at fault. Throws what is no refusal of that kind.
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
  // these name a day: a countdown of that helps nobody
  if (code === 'registrationDailyLimit' || code === 'registrationEmailLimit') return { kind: 'refused', code }
  throw error
}
