import Link from 'next/link'
import type { ReactNode } from 'react'
import { DateTime } from '../ui/date-time'
import { LinkPending } from '../ui/link-pending'
import { Pill } from '../ui/pill'
import type { Priority } from './table'

/** The column with the time of a row's last change. Its first click sorts the newest first. */
export const changedColumn = (label: string, priority: Priority = 2) => ({
  name: 'changed',
  by: 'updatedAt' as const,
  first: 'desc' as const,
  label,
  priority,
  className: 'text-ink-second',
  cell: ({ updatedAt }: { updatedAt: string }) => <DateTime value={updatedAt} />,
})

/** Whether something is enabled, in the module's own words. */
export const EnabledPill = ({ enabled, on, off }: { enabled: boolean; on: string; off: string }) => (
  <Pill tone={enabled ? 'ok' : 'neutral'}>{enabled ? on : off}</Pill>
)

/** The column that says whether a row is enabled. */
export const enabledColumn = (label: string, onLabel: string, offLabel: string) => ({
  name: 'enabled',
  label,
  cell: ({ enabled }: { enabled: boolean }) => <EnabledPill enabled={enabled} on={onLabel} off={offLabel} />,
})

/** The column with how many domains use a row; `text` says it. */
export const domainsColumn = (label: string, text: (count: number) => string) => ({
  label,
  className: ({ domainsCount }: { domainsCount: number }) => (domainsCount > 0 ? 'tabular-nums' : 'text-ink-second'),
  cell: ({ domainsCount }: { domainsCount: number }) => text(domainsCount),
})

/** A row's name, linked to its card; `href` is that of `cardPath`. Without one it is plain text. */
export function RowLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) return children
  return (
    <Link href={href} prefetch={false} className="rounded-[2px] underline-offset-4 hover:underline">
      {children}
      <LinkPending />
    </Link>
  )
}

/** A row's name, and below it a note of at most two lines. */
export function Noted({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <>
      {children}
      {note ? <span className="line-clamp-2 font-normal text-ink-second text-note">{note}</span> : null}
    </>
  )
}
