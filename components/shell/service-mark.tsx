import { cn } from '../ui/cn'

/** The first letter of a service, as its picture. */
export function ServiceMark({ title, small = false }: { title: string; small?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'flex shrink-0 items-center justify-center rounded-control bg-brand-tint font-semibold text-brand uppercase',
        small ? 'size-8 text-table' : 'size-11 text-section',
      )}
    >
      {[...title.trim()][0] ?? '·'}
    </span>
  )
}
