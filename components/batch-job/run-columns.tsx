import { DateTime } from '../ui/date-time'
import { RunLength } from './run-length'

/** The first columns of every list of batch jobs: when the job began, who started it, and how long it worked. */
export const runColumns = <Row extends { date: string; worked: number }>(
  labels: { begun: string; length: string },
  by: (row: Row) => string,
) => ({
  begun: {
    title: true,
    by: 'date',
    first: 'desc',
    label: labels.begun,
    cell: (row: Row) => (
      <span className="grid">
        <DateTime value={row.date} />
        <span className="font-normal text-ink-second text-note">{by(row)}</span>
      </span>
    ),
  } as const,
  length: {
    label: labels.length,
    className: 'tabular-nums',
    cell: ({ worked }: Row) => <RunLength seconds={worked} />,
  },
})
