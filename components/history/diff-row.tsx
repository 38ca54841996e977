import type { ReactNode } from 'react'
import { cn } from '../ui/cn'

type Props = {
  label: ReactNode
  /** The old and the new value; `null` leaves a side out. */
  previous?: ReactNode
  current?: ReactNode
  /** Replaces both: a note about the change. */
  note?: ReactNode
  /** The words before both sides, for screen readers. */
  words: { was: string; is: string }
}

/**
 * One changed field: its name, the old value struck through, the new one. They are below each other on a narrow page.
 */
export function DiffRow({ label, previous = null, current = null, note, words }: Props) {
  return (
    <div className="grid gap-x-4 gap-y-1.5 py-2 @min-[34rem]:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1fr)] @min-[34rem]:items-baseline">
      <dt className="wrap-anywhere text-ink-second text-note">{label}</dt>
      {note ? <dd className="text-ink-second text-table @min-[34rem]:col-span-2 @min-[34rem]:pl-5">{note}</dd> : null}
      {previous !== null ? (
        <Sign sign="−" word={words.was} className="text-danger @min-[34rem]:col-start-2">
          {previous}
        </Sign>
      ) : null}
      {current !== null ? (
        <Sign sign="+" word={words.is} className="text-ok @min-[34rem]:col-start-3">
          {current}
        </Sign>
      ) : null}
    </div>
  )
}

function Sign({
  sign,
  word,
  className,
  children,
}: {
  sign: string
  word: string
  className: string
  children: ReactNode
}) {
  return (
    <dd className={cn('grid min-w-0 grid-cols-[0.75rem_minmax(0,1fr)] items-baseline gap-x-2 text-table', className)}>
      <span aria-hidden="true" className="font-medium">
        {sign}
      </span>
      <span className="sr-only">{word}</span>
      <span className="flex min-w-0 flex-wrap gap-1 text-ink">{children}</span>
    </dd>
  )
}

/** A value on one side of a change. */
export function DiffValue({ side, children }: { side: 'previous' | 'current'; children: ReactNode }) {
  const looks = {
    previous: 'bg-danger-tint line-through decoration-danger/60',
    current: 'bg-ok-tint font-medium',
  }
  return (
    <span className={cn('wrap-anywhere min-w-0 max-w-full whitespace-pre-line rounded-pill px-1.5 py-px', looks[side])}>
      {children}
    </span>
  )
}
