import { Skeleton } from '../ui/skeleton'

/** The placeholder of a history. */
export function HistorySkeleton() {
  return (
    <div aria-busy="true" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Skeleton className="h-9 w-26 rounded-control pointer-coarse:h-11" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <Skeleton className="my-1 w-32" />
        <div className="divide-y divide-line overflow-clip rounded-card border border-line bg-surface">
          {['a', 'b', 'c', 'd', 'e'].map((row) => (
            // on a phone person, change and time are below each other
            <div
              key={row}
              className="flex gap-x-4 gap-y-2.5 px-4 py-3 @min-[40rem]:h-11 @min-[40rem]:items-center @max-[40rem]:flex-col"
            >
              <Skeleton className="w-10" />
              <Skeleton className="w-32" />
              <Skeleton className="w-60" />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
