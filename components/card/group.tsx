import type { ReactNode } from 'react'

type Props = {
  title: string
  /** A quiet remark beside the title. */
  note?: ReactNode
  /** What can be done with the group, at the right. */
  action?: ReactNode
  children: ReactNode
}

/** A group of a card: its heading, and what belongs together, such as Facts. */
export function CardGroup({ title, note, action, children }: Props) {
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2.5">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="wrap-anywhere min-w-0 text-section">{title}</h2>
        {note ? <p className="min-w-0 text-ink-second text-note">{note}</p> : null}
        {action ? <div className="ml-auto print:hidden">{action}</div> : null}
      </div>
      {children}
    </section>
  )
}
