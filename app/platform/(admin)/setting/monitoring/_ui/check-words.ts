import { wordsOf } from '@/lib/base/i18n/words'
import type { MonitoringRow } from '@/lib/operations/monitoring/contract'

/** Returns functions that name checks and their failures in the words of the page. */
export function checkWords(translator: unknown) {
  const t = wordsOf(translator)
  return {
    nameOf: ({ application, kind }: Pick<MonitoringRow, 'application' | 'kind'>) => application ?? t(`kinds.${kind}`),
    errorOf: (error: string) => (t.has(`errors.${error}`) ? t(`errors.${error}`) : error),
  }
}
