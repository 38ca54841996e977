import type { ReactNode } from 'react'

/** What stands above a table: search, filters, and at the right how many there are. */
export function ListTools({ children, count }: { children: ReactNode; count: string }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="contents print:hidden">{children}</div>
      <p role="status" className="ml-auto text-ink-second text-note tabular-nums">
        {count}
      </p>
    </div>
  )
}
