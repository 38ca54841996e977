import { cn } from './cn'

const heights = ['h-1.5', 'h-2.5', 'h-3.5']

/** How much depends on something, 1 to 3: bars and a word. */
export function Criticality({ level, children }: { level: number; children: string }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden="true" className="flex items-end gap-0.5">
        {heights.map((height, index) => (
          <span
            key={height}
            className={cn(
              'w-1 rounded-[1px]',
              height,
              index < level ? 'bg-ink' : 'bg-line-strong forced-colors:opacity-40',
            )}
          />
        ))}
      </span>
      {children}
    </span>
  )
}
