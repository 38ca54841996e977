import { useTranslations } from 'next-intl'
import { Skeleton } from '../ui/skeleton'

const widths = ['w-40', 'w-28', 'w-52', 'w-32']

/** The placeholder of a card's tab: a group of facts. */
export function CardSkeleton() {
  const t = useTranslations('ui')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <p role="status" className="sr-only">
        {t('loading')}
      </p>
      <div className="flex h-9 items-center pointer-coarse:h-11">
        <Skeleton className="h-6 w-36" />
      </div>
      <div aria-hidden="true" className="divide-y divide-line rounded-card border border-line bg-surface">
        {widths.map((width) => (
          // as high as a fact, whose label stands above its value on a phone
          <div key={width} className="flex gap-x-6 gap-y-1.5 px-4 py-4 @max-[40rem]:flex-col">
            <Skeleton className="w-24 shrink-0" />
            <Skeleton className={`${width} min-w-0`} />
          </div>
        ))}
      </div>
    </div>
  )
}
