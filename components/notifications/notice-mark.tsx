import { cn } from '../ui/cn'
import { noticeIcons } from './icons'

type Props = { kind: keyof typeof noticeIcons; unread: boolean }

/** The icon of a notification's kind, with a dot while it is unread. */
export function NoticeMark({ kind, unread }: Props) {
  const Icon = noticeIcons[kind]
  return (
    <span
      className={cn(
        'relative flex size-9 shrink-0 items-center justify-center rounded-full',
        unread ? 'bg-brand-tint text-brand' : 'bg-sunken text-ink-second',
      )}
    >
      <Icon aria-hidden="true" strokeWidth={1.75} className="size-4.5" />
      {unread ? (
        <span className="absolute top-0 right-0 size-2.5 rounded-full border-2 border-surface bg-brand" />
      ) : null}
    </span>
  )
}
