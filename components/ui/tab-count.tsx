import { useFormatter } from 'next-intl'

/** How many things a tab has. */
export function TabCount({ count }: { count: number }) {
  const format = useFormatter()
  return (
    <span className="rounded-pill border border-line bg-sunken px-1.5 text-ink-second text-note tabular-nums">
      {format.number(count)}
    </span>
  )
}
