import { cn } from './cn'

const looks = {
  none: 'h-px bg-line-strong',
  good: 'h-2 bg-ok/55',
  stuck: 'h-3 bg-warning',
  partly: 'h-3 bg-warning',
  bad: 'h-4 bg-danger',
}

/**
 * The state of each half hour of a day, the oldest first: the height repeats what the color says. `label` says it in
 * words.
 */
export function UptimeStrip({ bars, label }: { bars: readonly (keyof typeof looks)[]; label: string }) {
  return (
    <span className="block">
      <span className="sr-only">{label}</span>
      <span aria-hidden="true" className="flex h-4 w-48 max-w-full items-end gap-px">
        {bars
          .map((bar, index) => ({ bar, place: `${index}` }))
          .map(({ bar, place }) => (
            <span
              key={place}
              className={cn('min-w-0 flex-1 rounded-[1px] forced-colors:bg-[CanvasText]', looks[bar])}
            />
          ))}
      </span>
    </span>
  )
}
