import type { Failed } from './use-submission'

/**
 * Returns a failure without the faults of the field that a person corrects, so that the summary names what is still wrong;
 * null once nothing is. `isOf` says of a fault's field whether it is that one.
 */
export function mended(failed: Failed | null, isOf: (field: string) => boolean): Failed | null {
  if (!failed || !('errorList' in failed.failure)) return failed
  const { errorList } = failed.failure
  const rest = errorList.filter(({ field }) => !isOf(field))
  if (rest.length === errorList.length) return failed
  return rest.length > 0 ? { ...failed, failure: { ...failed.failure, errorList: rest } } : null
}
