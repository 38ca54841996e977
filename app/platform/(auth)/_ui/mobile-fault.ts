import type { Failure } from './failure'

type EndOf = (moment: number) => { until: Date; zone: string }
type Fault = { code: string; params?: ReturnType<EndOf> }

/** Returns the fault of a mobile's step that the field itself shows; null if the summary shows it. */
export function mobileFault(failure: Failure | null, field: 'mobile' | 'code', endOf: EndOf): Fault | null {
  if (!failure) return null
  const fault = 'errorList' in failure ? failure.errorList.find((one) => one.field === field) : undefined
  if (fault) return { code: field === 'code' && fault.code === 'errorEmpty' ? 'errorCodeEmpty' : fault.code }
  if (field === 'code' || failure.kind !== 'codeLimit') return null
  return failure.until
    ? { code: 'codeDailyLimitSentUntil', params: endOf(failure.until) }
    : { code: 'codeDailyLimitSent' }
}
