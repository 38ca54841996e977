import { useTranslations } from 'next-intl'
import { Folded } from './folded'

/**
 * What to do if nothing arrives. It is folded, because most messages arrive. `label` replaces the question about a
 * code.
 */
export function NotReceived({ advice, label }: { advice: string; label?: string }) {
  const t = useTranslations('entry.code')
  return (
    <Folded question={label ?? t('notReceived')}>
      <p className="mt-2">{advice}</p>
    </Folded>
  )
}
