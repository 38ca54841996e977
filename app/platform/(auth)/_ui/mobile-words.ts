import { getTranslations } from 'next-intl/server'
import { limitEnd } from '@/components/form/limit-end'
import { getZone } from '@/components/ui/get-zone'
import { wordsOf } from '@/lib/base/i18n/words'
import type { Failure } from './failure'
import type { FormFailure } from './form-failure'
import { mobileFault } from './mobile-fault'

type Fault = { code: string; text: string }

/** Returns what the fields of a mobile's step show of its failure, and what is left for the summary above. */
export async function mobileWords(
  failed: FormFailure | null,
): Promise<{ mobile: Fault | null; code: Fault | null; other: Failure | null }> {
  const [errors, zoneOf] = await Promise.all([getTranslations('errors'), getZone()])
  const words = wordsOf(errors)
  const shownBy = (field: 'mobile' | 'code') => {
    const fault = mobileFault(failed?.failure ?? null, field, (moment) => {
      const until = limitEnd(moment)
      return { until, zone: zoneOf(until) }
    })
    return fault && { code: fault.code, text: words(words.has(fault.code) ? fault.code : 'errorUnknown', fault.params) }
  }
  const [mobile, code] = [shownBy('mobile'), shownBy('code')]
  return { mobile, code, other: mobile || code ? null : (failed?.failure ?? null) }
}
