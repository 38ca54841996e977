import { useTranslations } from 'next-intl'

/** How many items wait on a tab, like the badge of a menu entry. It is hidden for 0. */
export function TabBadge({ count }: { count: number | null | undefined }) {
  const t = useTranslations('ui')
  if (!count) return null
  return (
    <span className="rounded-pill bg-warning-tint px-1.5 font-medium text-note text-warning tabular-nums">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">, {t('waiting', { count })}</span>
    </span>
  )
}
