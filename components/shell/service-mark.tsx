import { cn } from '../ui/cn'

const sizes = { S: 'size-6 text-note', M: 'size-8 text-table', L: 'size-11 text-section' }
type Props = { title: string; size?: keyof typeof sizes; quiet?: boolean }

/** The first letter of a service, used as its icon. */
export function ServiceMark({ title, size = 'L', quiet = false }: Props) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'flex shrink-0 items-center justify-center rounded-control font-semibold uppercase',
        sizes[size],
        quiet ? 'bg-line text-ink-second' : 'bg-brand-tint text-brand',
      )}
    >
      {[...title.trim()][0] ?? '·'}
    </span>
  )
}
