import { useTranslations } from 'next-intl'
import { Skeleton } from '../ui/skeleton'

const widths = ['w-40', 'w-28', 'w-36', 'w-24', 'w-32']

/** A list before its rows are loaded, for `loading.tsx`. It has the same frame, so that nothing moves later. */
export function TableSkeleton({ columns, rows = 8 }: { columns: number; rows?: number }) {
  const t = useTranslations('ui')
  const line = (row: number, count: number) =>
    Array.from({ length: count }, (_, column) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity than their place
      <div key={column} className="min-w-0 grow basis-0">
        <Skeleton className={widths[(row + column) % widths.length] ?? 'w-32'} />
      </div>
    ))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p role="status" className="sr-only">
        {t('loading')}
      </p>
      <div className="flex flex-wrap gap-2">
        <Skeleton className="h-9 w-full rounded-control @min-[40rem]:w-70 pointer-coarse:h-11" />
        {/* sorting and filters */}
        <Skeleton className="h-9 w-33 rounded-control @min-[40rem]:hidden pointer-coarse:h-11" />
        <Skeleton className="h-9 w-26 rounded-control pointer-coarse:h-11" />
      </div>
      {/* where a row is a card */}
      <div aria-hidden="true" className="grid grid-cols-[minmax(0,1fr)] gap-3 @min-[40rem]:hidden">
        {Array.from({ length: Math.min(rows, 4) }, (_, row) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            key={row}
            className="grid grid-cols-2 gap-x-4 gap-y-2.5 rounded-card border border-line bg-surface px-4 py-3.5"
          >
            <Skeleton className={`${widths[row % widths.length]} col-span-2 my-1`} />
            {Array.from({ length: Math.min(columns - 1, 4) }, (_, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <div key={column} className="grid gap-2 py-0.5">
                <Skeleton className="h-3 w-16" />
                <Skeleton className={widths[(row + column + 1) % widths.length] ?? 'w-32'} />
              </div>
            ))}
          </div>
        ))}
      </div>
      <div aria-hidden="true" className="overflow-clip rounded-card border border-line bg-surface @max-[40rem]:hidden">
        <div className="flex h-9 items-center gap-4 border-line border-b bg-sunken px-3.5">{line(1, columns)}</div>
        {Array.from({ length: rows }, (_, row) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            key={row}
            className="flex h-12 items-center gap-4 border-line px-3.5 not-last:border-b"
          >
            {line(row, columns)}
          </div>
        ))}
      </div>
    </div>
  )
}
