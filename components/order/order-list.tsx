'use client'

import { ArrowDown, ArrowUp, GripVertical, Lock } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { cn } from '../ui/cn'
import { iconButtonClasses } from '../ui/icon-button-classes'
import { inPlaceOf, moved } from './moved'
import { useDragging } from './use-dragging'

export type OrderItem = {
  id: string
  /** Its name in the buttons and the announcements. */
  name: string
  body: ReactNode
  /** Below the body and as wide as the row, such as switches. */
  below?: ReactNode
  /** At the right, such as a count. */
  side?: ReactNode
  menu?: ReactNode
  /** The item stays behind all others. */
  fixed?: boolean
}

type Props = {
  /** The name of the list. */
  label: string
  /** In their order; fixed items come last. */
  items: readonly OrderItem[]
  /** The heads above the bodies and above the sides; `wide` heads of several columns need more room. */
  heads?: { body: ReactNode; side?: string; wide?: boolean }
  /**
   * Saves an order of the movable items; `read` is the previous one. Returns whether it is saved; if not, it is undone.
   */
  onOrder?: ((ids: string[], read: string[]) => Promise<boolean>) | undefined
}

const arrows = { ArrowUp: -1, ArrowDown: 1 } as const

/**
 * A list whose rows can be ordered by dragging, by the buttons, or by Alt and an arrow key on a row. Each move is saved
 * at once and announced; moves made during a save are sent after it, in one call.
 */
export function OrderList({ label, items, heads, onOrder }: Props) {
  const t = useTranslations('ui.order')
  const list = useId()
  const pageOrder = items.flatMap(({ id, fixed }) => (fixed ? [] : [id]))
  const key = pageOrder.join()
  /** The order that the page doesn't have yet. */
  const [wish, setWish] = useState<string[] | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const saved = useRef(pageOrder)
  const next = useRef<string[] | null>(null)
  const busy = useRef(false)
  const focused = useRef<string | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the page has another order, or other rows
  useEffect(() => {
    if (busy.current) return
    saved.current = pageOrder
    setWish(null)
  }, [key])
  useLayoutEffect(() => {
    // a row that moves loses the focus
    const id = focused.current
    focused.current = null
    if (id && document.activeElement === document.body) document.getElementById(id)?.focus()
  })

  const order =
    wish && wish.length === pageOrder.length && wish.every((id) => pageOrder.includes(id)) ? wish : pageOrder
  const byId = new Map(items.map((item) => [item.id, item]))
  const fixed = items.filter((item) => item.fixed)
  // a column of its own, which doesn't stay empty in lists without menus and heads
  const hasMenus = heads !== undefined || items.some((item) => item.menu !== undefined)

  const save = async () => {
    if (busy.current || !onOrder) return
    busy.current = true
    while (next.current) {
      const ids = next.current
      next.current = null
      if (ids.join() === saved.current.join()) continue
      if (await onOrder(ids, saved.current)) saved.current = ids
      else {
        next.current = null
        setWish(null)
      }
    }
    busy.current = false
  }
  const place = (ids: string[], id: string) => {
    if (ids.join() === order.join()) return
    focused.current = document.activeElement?.id ?? null
    setWish(ids)
    setAnnouncement(t('moved', { name: byId.get(id)?.name ?? '', place: ids.indexOf(id) + 1, total: items.length }))
    next.current = ids
    void save()
  }
  const step = (id: string, offset: -1 | 1) => place(moved(order, id, offset), id)
  const { rowRef, gripRef, target } = useDragging({
    list,
    ids: order,
    enabled: onOrder !== undefined,
    onDrop: (id, targetId, edge) => place(inPlaceOf(order, id, targetId, edge), id),
  })
  const onKeyDown = (event: KeyboardEvent, id: string) => {
    const offset = arrows[event.key as keyof typeof arrows]
    if (!event.altKey || !offset || !onOrder) return
    event.preventDefault()
    step(id, offset)
  }

  return (
    <div className="@container grid gap-2">
      <div className="overflow-clip rounded-card border border-line bg-surface">
        {heads ? (
          <div
            aria-hidden="true"
            className={cn(
              'flex items-center gap-3 border-line border-b bg-sunken px-3 py-2.5 font-medium text-ink-second text-table',
              heads.wide ? '@max-[50rem]:hidden' : '@max-[28rem]:hidden',
            )}
          >
            <div className={cn('min-w-0 grow', onOrder ? 'pl-18' : 'pl-9')}>{heads.body}</div>
            {heads.wide ? (
              <span className={onOrder ? 'w-30 shrink-0 pointer-coarse:w-34' : 'w-9 shrink-0'} />
            ) : heads.side ? (
              <span className={onOrder ? 'pr-33 pointer-coarse:pr-37' : 'pr-12'}>{heads.side}</span>
            ) : null}
          </div>
        ) : null}
        <ol aria-label={label} className="divide-y divide-line">
          {[...order.flatMap((id) => byId.get(id) ?? []), ...fixed].map((item, index) => {
            const { id, name, body, below, side, menu } = item
            const movable = !item.fixed && onOrder !== undefined
            return (
              <li
                key={id}
                ref={movable ? rowRef(id) : undefined}
                onKeyDown={movable ? (event) => onKeyDown(event, id) : undefined}
                data-edge={target?.id === id ? target.edge : undefined}
                className={cn(
                  'relative flex items-center gap-3 px-3 py-3 data-[edge]:after:pointer-events-none data-[edge]:after:absolute data-[edge]:after:inset-x-0 data-[edge]:after:h-0.5 data-[edge]:after:bg-brand data-[edge=bottom]:after:bottom-0 data-[edge=top]:after:top-0',
                  item.fixed && 'bg-sunken',
                  below && 'gap-y-2 @min-[28rem]:flex-wrap @max-[28rem]:items-start',
                )}
              >
                {onOrder ? (
                  <span className="flex w-6 shrink-0 justify-center text-ink-second @max-[28rem]:hidden">
                    {movable ? (
                      <span ref={gripRef(id)} className="cursor-grab rounded-control py-1 hover:text-ink">
                        <GripVertical aria-hidden="true" className="size-5" />
                      </span>
                    ) : (
                      <Lock aria-hidden="true" className="size-4" />
                    )}
                  </span>
                ) : null}
                <span
                  aria-hidden="true"
                  className={cn(
                    'w-6 shrink-0 text-right text-ink-second text-table tabular-nums',
                    below && '@max-[28rem]:pt-2.5',
                  )}
                >
                  {index + 1}.
                </span>
                {below ? (
                  <div className="grid min-w-0 grow gap-2 @max-[28rem]:pt-2.5 @min-[28rem]:contents">
                    <div className="min-w-0 grow basis-0">{body}</div>
                    <div
                      className={cn(
                        'order-last grid basis-full gap-2',
                        onOrder ? '@min-[28rem]:pl-18' : '@min-[28rem]:pl-9',
                      )}
                    >
                      {below}
                    </div>
                  </div>
                ) : (
                  <div className="min-w-0 grow">{body}</div>
                )}
                {side !== undefined ? <div className="shrink-0 text-right tabular-nums">{side}</div> : null}
                {onOrder ? (
                  <span className="flex shrink-0 @max-[28rem]:flex-col">
                    {movable ? (
                      ([-1, 1] as const).map((offset) => {
                        const Icon = offset < 0 ? ArrowUp : ArrowDown
                        const isLast = offset < 0 ? index === 0 : index === order.length - 1
                        return (
                          <button
                            key={offset}
                            id={`${list}${id}${offset}`}
                            type="button"
                            aria-label={t(offset < 0 ? 'up' : 'down', { name })}
                            aria-disabled={isLast}
                            onClick={() => step(id, offset)}
                            className={cn(iconButtonClasses, 'aria-disabled:opacity-40')}
                          >
                            <Icon aria-hidden="true" className="size-5" />
                          </button>
                        )
                      })
                    ) : (
                      <span className="w-18 @max-[28rem]:w-9" />
                    )}
                  </span>
                ) : null}
                {hasMenus ? <span className="flex w-9 shrink-0 justify-end">{menu}</span> : null}
              </li>
            )
          })}
        </ol>
      </div>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </div>
  )
}
