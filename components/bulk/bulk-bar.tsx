'use client'

import { Search, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { type Chosen, useSelection } from './selection'

type Props = {
  list: string
  /** The rows of this page that can be chosen. */
  page: readonly Chosen[]
  /** The tools of the list; the bar covers them. */
  tools: ReactNode
  /** The actions on all chosen rows. */
  children: ReactNode
}

// where the head of the table doesn't stick, the bar sticks, so that it is beside the row that was chosen last
const stuck =
  'z-10 sm:@min-[62rem]:relative sm:@max-[62rem]:sticky sm:@max-[62rem]:top-[calc(var(--sticky-top)+0.5rem)]'
const overTools =
  'sm:absolute sm:inset-x-0 sm:-top-px sm:min-h-[calc(100%+2px)] sm:gap-y-0 sm:rounded-control sm:py-0 sm:pr-0 sm:pointer-fine:pr-1 sm:pl-3 sm:shadow-none'

/**
 * Shows how many rows are chosen and the actions on them; renders nothing while none is chosen. No row moves when the
 * bar appears or disappears: it covers the tools of the list, and on a phone it is at the bottom of the window. On a
 * large window it also moves to the bottom when the person uses the tools.
 */
export function BulkBar({ list, page, tools, children }: Props) {
  const t = useTranslations('ui.bulk')
  const { chosen, choose, clear } = useSelection(list)
  const anyChosen = chosen.size > 0
  const [atBottom, setAtBottom] = useState(false)
  /**
   * Whether a row was ever chosen here. Then the bar's space at the end stays, because the last rows would otherwise
   * move when the bar disappears.
   */
  const [used, setUsed] = useState(false)
  if (anyChosen && !used) setUsed(true)
  if (!anyChosen && atBottom) setAtBottom(false)
  const frame = useRef<HTMLDivElement>(null)
  const clearing = useRef<HTMLButtonElement>(null)
  // the clicked element disappears, so the focus moves to an element that stays
  const chooseRest = () => {
    clearing.current?.focus({ preventScroll: true })
    choose(page, true)
  }
  const clearAll = () => {
    frame.current?.parentElement?.querySelector<HTMLElement>('tbody [role="checkbox"]')?.focus({ preventScroll: true })
    clear()
  }
  useEffect(() => {
    if (atBottom) frame.current?.querySelector<HTMLElement>('input:not([type=hidden]), button, a')?.focus()
  }, [atBottom])
  const unchosen = page.filter(({ id }) => !chosen.has(id))
  const elsewhere = [...chosen.keys()].filter((id) => !page.some((row) => row.id === id)).length
  return (
    <div ref={frame} className={atBottom ? 'contents' : cn('max-sm:contents', anyChosen ? stuck : 'sm:relative')}>
      <p role="status" className="sr-only">
        {anyChosen ? t('chosen', { count: chosen.size }) : ''}
      </p>
      {/* not focusable while the bar covers it */}
      <div className={cn(anyChosen && !atBottom && 'sm:invisible print:visible')}>{tools}</div>
      {used ? (
        <div
          className={cn(
            'pointer-events-none sticky bottom-[calc(var(--window-foot)+0.5rem)] z-10 order-last grid min-h-32 items-end print:hidden',
            !atBottom && 'sm:contents',
          )}
        >
          {anyChosen ? (
            <section
              aria-label={t('label')}
              data-bulk-bar={atBottom ? 'below' : ''}
              className={cn(
                'pointer-events-auto flex flex-wrap items-center gap-2 rounded-card border border-brand bg-surface px-4 py-2.5 shadow-float print:hidden',
                !atBottom && overTools,
              )}
            >
              <p
                className={cn(
                  'min-w-0 text-table leading-4.5 max-sm:flex-1',
                  !atBottom && 'sm:@max-[60rem]:max-w-40 sm:@max-[60rem]:*:block',
                )}
              >
                <span className="font-medium">{t('chosen', { count: chosen.size })}</span>
                {elsewhere > 0 ? (
                  <span className="text-ink-second">
                    <span aria-hidden="true" className={cn(!atBottom && 'sm:@max-[60rem]:hidden')}>
                      {' · '}
                    </span>
                    {t('elsewhere', { count: elsewhere })}
                  </span>
                ) : null}
              </p>
              <Button
                ref={clearing}
                variant="quiet"
                size="S"
                onClick={clearAll}
                title={t('clear')}
                className="max-sm:-mr-3 sm:mr-auto"
              >
                <X aria-hidden="true" className={cn('hidden size-4', !atBottom && 'sm:@max-[60rem]:block')} />
                <span className={cn(!atBottom && 'sm:@max-[60rem]:sr-only')}>{t('clear')}</span>
              </Button>
              <div className="flex min-w-0 items-center gap-2 max-sm:w-full sm:ml-auto">
                {unchosen.length > 0 ? (
                  <Button
                    variant="quiet"
                    size="S"
                    onClick={chooseRest}
                    className="max-sm:-ml-3 max-sm:min-w-0 max-sm:text-balance"
                  >
                    {t('page', { count: page.length })}
                  </Button>
                ) : null}
                {atBottom ? null : (
                  <Button
                    variant="quiet"
                    size="S"
                    onClick={() => setAtBottom(true)}
                    aria-label={t('tools')}
                    title={t('tools')}
                    className="max-sm:hidden"
                  >
                    <Search aria-hidden="true" className="size-4" />
                  </Button>
                )}
                <div
                  className={cn(
                    'flex flex-wrap gap-2 max-sm:flex-1 max-sm:*:flex-1',
                    !atBottom && 'sm:pointer-fine:*:min-h-7 sm:pointer-fine:*:py-0.5',
                  )}
                >
                  {children}
                </div>
              </div>
            </section>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}
