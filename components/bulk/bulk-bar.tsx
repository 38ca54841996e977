'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useRef } from 'react'
import { Button } from '../ui/button'
import { type Chosen, useSelection } from './selection'

type Props = {
  list: string
  /** The rows of this page that can be chosen. */
  page: readonly Chosen[]
  /** The actions on all chosen rows. */
  children: ReactNode
}

/** How many rows are chosen, and what can be done with all of them; nothing while none is chosen. */
export function BulkBar({ list, page, children }: Props) {
  const t = useTranslations('ui.bulk')
  const { chosen, choose, clear } = useSelection(list)
  const rest = page.filter(({ id }) => !chosen.has(id))
  const bar = useRef<HTMLElement>(null)
  const clearing = useRef<HTMLButtonElement>(null)
  // what is clicked disappears, so the focus moves to what stays
  const chooseRest = () => {
    clearing.current?.focus({ preventScroll: true })
    choose(page, true)
  }
  const clearAll = () => {
    bar.current?.parentElement?.querySelector<HTMLElement>('tbody [role="checkbox"]')?.focus({ preventScroll: true })
    clear()
  }
  const elsewhere = [...chosen.keys()].filter((id) => !page.some((row) => row.id === id)).length
  return (
    <>
      <p role="status" className="sr-only">
        {chosen.size > 0 ? t('chosen', { count: chosen.size }) : ''}
      </p>
      {chosen.size > 0 ? (
        <section
          ref={bar}
          aria-label={t('label')}
          // where the head of the table doesn't stick, the bar does, so that it is there where the last row was chosen
          className="z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-brand bg-surface px-4 py-2.5 print:hidden @max-[62rem]:sticky @max-[62rem]:top-[calc(var(--sticky-top)+0.5rem)]"
        >
          <p className="mr-auto min-w-0 text-table @max-[40rem]:flex-1 @min-[40rem]:@max-[62rem]:basis-full">
            <span className="font-medium">{t('chosen', { count: chosen.size })}</span>
            {elsewhere > 0 ? <span className="text-ink-second"> · {t('elsewhere', { count: elsewhere })}</span> : null}
          </p>
          <div className="flex flex-wrap gap-x-1 @max-[40rem]:-mr-3 @min-[40rem]:@max-[62rem]:-ml-3 @min-[40rem]:@max-[62rem]:mr-auto">
            {rest.length > 0 ? (
              <WholePage className="@max-[40rem]:hidden" onClick={chooseRest} count={page.length} />
            ) : null}
            <Button ref={clearing} variant="quiet" size="S" onClick={clearAll}>
              {t('clear')}
            </Button>
          </div>
          <div className="flex flex-wrap gap-2 @max-[40rem]:w-full @max-[40rem]:*:flex-1">{children}</div>
        </section>
      ) : null}
      {chosen.size > 0 && rest.length > 0 ? (
        // on a phone it stays in the list, so that what sticks is low
        <WholePage className="@min-[40rem]:hidden" onClick={chooseRest} count={page.length} />
      ) : null}
    </>
  )
}

function WholePage({ count, ...rest }: { count: number; className: string; onClick: () => void }) {
  const t = useTranslations('ui.bulk')
  return (
    <Button variant="quiet" size="S" {...rest}>
      {t('page', { count })}
    </Button>
  )
}
