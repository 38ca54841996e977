import type { ReactNode } from 'react'
import { DateTime } from '../ui/date-time'

/** The column with the time of a row's last change. Its first click sorts the newest first. */
export const changedColumn = (label: string) => ({
  by: 'updatedAt' as const,
  first: 'desc' as const,
  label,
  priority: 2 as const,
  className: 'text-ink-second',
  cell: ({ updatedAt }: { updatedAt: string }) => <DateTime value={updatedAt} />,
})

/** A row's name, and below it a note of at most two lines. */
export function Noted({ note, children }: { note: string; children: ReactNode }) {
  return (
    <>
      {children}
      {note ? <span className="line-clamp-2 font-normal text-ink-second text-note">{note}</span> : null}
    </>
  )
}
