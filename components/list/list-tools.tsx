import type { ReactNode } from 'react'

/** The row above a table: search, filters, and the number of rows at the right. */
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
