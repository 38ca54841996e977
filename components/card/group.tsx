import type { ReactNode } from 'react'

type Props = {
  title: string
  /** A quiet remark beside the title. */
  note?: ReactNode
  /** The actions on the group, at the right. */
  action?: ReactNode
  children: ReactNode
}

/** A group of a card: its heading and its content, such as Facts. */
export function CardGroup({ title, note, action, children }: Props) {
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2.5">
      <div className="flex min-h-9 items-center gap-x-3 gap-y-2 @max-[40rem]:flex-wrap">
        {/* on a phone wide actions are below the title and its note, so that words aren't broken */}
        <div className="flex min-w-0 grow flex-wrap items-baseline gap-x-3 gap-y-0.5 @max-[40rem]:basis-36">
          <h2 className="wrap-anywhere min-w-0 text-section">{title}</h2>
          {note ? <p className="min-w-0 text-ink-second text-note">{note}</p> : null}
        </div>
        {/* actions that don’t fit side by side are below each other */}
        {action ? <div className="shrink-0 @max-[40rem]:shrink print:hidden">{action}</div> : null}
      </div>
      {children}
    </section>
  )
}

/** Names in a group, one per line; `none` if there are none. */
export function CardList({ items, none }: { items: readonly { id: string; name: string }[]; none: string }) {
  const box = 'rounded-card border border-line bg-surface'
  if (items.length === 0) return <p className={`${box} px-4 py-3 text-ink-second`}>{none}</p>
  return (
    <ul className={`${box} divide-y divide-line`}>
      {items.map(({ id, name }) => (
        <li key={id} className="wrap-anywhere px-4 py-3">
          {name}
        </li>
      ))}
    </ul>
  )
}
