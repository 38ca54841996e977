import { useTranslations } from 'next-intl'
import { ChevronDown } from '@/components/ui/icons'

/**
 * What to do if nothing arrives. It is folded, because most messages arrive. `label` replaces the question about a
 * code.
 */
export function NotReceived({ advice, label }: { advice: string; label?: string }) {
  const t = useTranslations('entry.code')
  return (
    <details className="group text-ink-second text-note">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-[2px] transition-colors hover:text-ink pointer-coarse:-my-3 pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        {label ?? t('notReceived')}
        <ChevronDown className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <p className="mt-2">{advice}</p>
    </details>
  )
}
