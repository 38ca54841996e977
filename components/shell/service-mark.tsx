import { cn } from '../ui/cn'

type Props = { title: string; small?: boolean; quiet?: boolean }

/** The first letter of a service, as its picture. */
export function ServiceMark({ title, small = false, quiet = false }: Props) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'flex shrink-0 items-center justify-center rounded-control font-semibold uppercase',
        small ? 'size-8 text-table' : 'size-11 text-section',
        quiet ? 'bg-line text-ink-second' : 'bg-brand-tint text-brand',
      )}
    >
      {[...title.trim()][0] ?? '·'}
    </span>
  )
}
