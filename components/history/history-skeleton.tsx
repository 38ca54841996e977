import { Skeleton } from '../ui/skeleton'

/** A history that is being read. */
export function HistorySkeleton() {
  return (
    <div aria-busy="true" className="divide-y divide-line overflow-clip rounded-card border border-line bg-surface">
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <div key={row} className="flex gap-4 px-4 py-3.5">
          <Skeleton className="w-10" />
          <Skeleton className="w-32" />
          <Skeleton className="w-60" />
        </div>
      ))}
    </div>
  )
}
