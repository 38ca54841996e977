import { useErrorText } from '@/components/form/use-error-text'
import { useLimitEnd } from '@/components/form/use-limit-end'
import type { FormFailure } from './form-failure'

/** Returns what a mobile shows of the failure of its step; undefined if the summary above the form says it. */
export function useMobileError(failed: FormFailure | null): string | undefined {
  const errorText = useErrorText()
  const endOf = useLimitEnd()
  const fault = failed?.errors.mobile
  if (fault) return errorText(fault)
  if (failed?.failure.kind !== 'codeLimit') return undefined
  const { until } = failed.failure
  return until ? errorText('codeDailyLimitSentUntil', endOf(until)) : errorText('codeDailyLimitSent')
}
