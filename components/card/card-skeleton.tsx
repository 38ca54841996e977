import { useTranslations } from 'next-intl'
import { Skeleton } from '../ui/skeleton'

const widths = ['w-40', 'w-28', 'w-52', 'w-32']

/** A tab of a card that is being read: a group of facts. */
export function CardSkeleton() {
  const t = useTranslations('ui')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p role="status" className="sr-only">
        {t('loading')}
      </p>
      <Skeleton className="h-6 w-36" />
      <div aria-hidden="true" className="divide-y divide-line rounded-card border border-line bg-surface">
        {widths.map((width) => (
          <div key={width} className="flex gap-6 px-4 py-3.5">
            <Skeleton className="w-24 shrink-0" />
            <Skeleton className={`${width} min-w-0`} />
          </div>
        ))}
      </div>
    </div>
  )
}
