import { CircleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Children, type ReactNode } from 'react'
import { cn } from './cn'

/** Labels beside their values, or above them if there is no room, with a line between the rows: a read-only form. */
export function KeyValues({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <dl className={cn('@container grid divide-y divide-line rounded-card border border-line bg-surface', className)}>
      {children}
    </dl>
  )
}

type Props = {
  /** The id of the row, for links to it. */
  id?: string
  label: ReactNode
  /** The text for a missing value that should be there; by default a quiet “not set”. */
  missing?: string
  /** Whether the value is higher than a line, such as a picture: then the label is beside its top. */
  tall?: boolean
  /** An action on this value. */
  action?: ReactNode
  children?: ReactNode
}

/** Replaces a missing required value: a sign and a text. */
export function MissingValue({ text }: { text: string }) {
  return (
    <span className="relative min-w-0 pl-6 text-danger">
      <CircleAlert aria-hidden="true" className="absolute top-1 left-0 size-4" />
      {text}
    </span>
  )
}

/** A label with its value. */
export function KeyValue({ id, label, missing, tall = false, action, children }: Props) {
  const t = useTranslations('ui')
  const empty = Children.toArray(children).length === 0
  return (
    <div
      id={id}
      className={cn(
        'relative grid gap-x-4 gap-y-0.5 py-3 pl-4 target:bg-brand-tint @min-[40rem]:grid-cols-[11rem_minmax(0,1fr)]',
        tall ? '@min-[40rem]:items-start' : '@min-[40rem]:items-baseline',
        action ? 'pr-16' : 'pr-4',
      )}
    >
      <dt className="text-ink-second text-note">{label}</dt>
      <dd className={cn('flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 break-words', empty && 'text-ink-second')}>
        {empty ? missing ? <MissingValue text={missing} /> : t('notSet') : children}
        {/* a definition list contains only terms and values, so the action is part of the value */}
        {action ? <span className="absolute top-1/2 right-3 -translate-y-1/2">{action}</span> : null}
      </dd>
    </div>
  )
}
