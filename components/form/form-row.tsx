'use client'

import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import type { Edge } from '../order/use-dragging'
import { cn } from '../ui/cn'
import { IconButton } from '../ui/icon-button'

type Props = {
  /** Its name with its number: “Address 2”. */
  name: string
  /** Its index, if the rows have an order. */
  place: { index: number; count: number; columns: string } | null
  rowRef: Ref<HTMLLIElement>
  gripRef: Ref<HTMLElement>
  /** The edge at which a dragged row would be put. */
  edge: Edge | undefined
  onMove: (by: -1 | 1) => void
  /** Left out while the list needs the row. */
  onRemove: (() => void) | undefined
  children: ReactNode
}

const arrows = { ArrowUp: -1, ArrowDown: 1 } as const

/** A row of FormRows: its fields, and its buttons. */
export function FormRow({ name, place, rowRef, gripRef, edge, onMove, onRemove, children }: Props) {
  const t = useTranslations('ui.form')
  const to = useTranslations('ui.order')
  const remove = (
    <IconButton
      quiet
      data-remove=""
      label={t('removeRow', { row: name })}
      aria-disabled={onRemove ? undefined : true}
      onClick={onRemove}
      className={place ? undefined : 'mt-6.5'}
    >
      <Trash2 aria-hidden="true" className="size-4" />
    </IconButton>
  )
  if (!place)
    return (
      <li>
        <fieldset aria-label={name} className="flex items-start gap-1 rounded-card border border-line p-3 pr-1.5">
          <div className="grid min-w-0 grow gap-3 sm:auto-cols-fr sm:grid-flow-col">{children}</div>
          {remove}
        </fieldset>
      </li>
    )
  const { index, count, columns } = place
  const onKeyDown = (event: KeyboardEvent) => {
    const offset = arrows[event.key as keyof typeof arrows]
    if (!event.altKey || !offset) return
    event.preventDefault()
    onMove(offset)
  }
  return (
    <li
      ref={rowRef}
      onKeyDown={onKeyDown}
      data-edge={edge}
      className="relative data-[edge]:after:pointer-events-none data-[edge]:after:absolute data-[edge]:after:inset-x-0 data-[edge]:after:h-0.5 data-[edge]:after:bg-brand data-[edge=bottom]:after:-bottom-1.5 data-[edge=top]:after:-top-1.5"
    >
      <fieldset
        aria-label={name}
        className="flex items-start gap-2 @max-[38rem]:flex-wrap @max-[38rem]:rounded-card @max-[38rem]:border @max-[38rem]:border-line @max-[38rem]:p-3"
      >
        <span
          ref={gripRef}
          className="mt-2 flex w-6 shrink-0 cursor-grab justify-center rounded-control py-0.5 text-ink-second hover:text-ink @max-[38rem]:hidden"
        >
          <GripVertical aria-hidden="true" className="size-5" />
        </span>
        <div className={cn('grid min-w-0 grow gap-2 @max-[38rem]:basis-full', columns)}>{children}</div>
        <span className="mt-0.5 flex shrink-0 @max-[38rem]:ml-auto">
          {([-1, 1] as const).map((offset) => {
            const Icon = offset < 0 ? ArrowUp : ArrowDown
            const isLast = offset < 0 ? index === 0 : index === count - 1
            return (
              <IconButton
                quiet
                key={offset}
                label={to(offset < 0 ? 'up' : 'down', { name })}
                aria-disabled={isLast || undefined}
                onClick={() => onMove(offset)}
              >
                <Icon aria-hidden="true" className="size-4" />
              </IconButton>
            )
          })}
          {remove}
        </span>
      </fieldset>
    </li>
  )
}
