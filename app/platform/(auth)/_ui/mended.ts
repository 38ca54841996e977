import type { Failed } from './use-submission'

/**
 * Returns a failure without the faults of the field that a person corrects, so that the summary names the remaining
 * ones; null if none remain. `isOf` returns whether a fault's field is that field.
 */
export function mended(failed: Failed | null, isOf: (field: string) => boolean): Failed | null {
  if (!failed || !('errorList' in failed.failure)) return failed
  const { errorList } = failed.failure
  const remaining = errorList.filter(({ field }) => !isOf(field))
  if (remaining.length === errorList.length) return failed
  return remaining.length > 0 ? { ...failed, failure: { ...failed.failure, errorList: remaining } } : null
}
