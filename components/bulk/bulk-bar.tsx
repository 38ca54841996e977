'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
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
  const elsewhere = [...chosen.keys()].filter((id) => !page.some((row) => row.id === id)).length
  return (
    <>
      <p role="status" className="sr-only">
        {chosen.size > 0 ? t('chosen', { count: chosen.size }) : ''}
      </p>
      {chosen.size > 0 ? (
        <section
          aria-label={t('label')}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-brand bg-surface px-4 py-2.5 print:hidden"
        >
          <p className="mr-auto text-table">
            <span className="font-medium">{t('chosen', { count: chosen.size })}</span>
            {elsewhere > 0 ? <span className="text-ink-second"> · {t('elsewhere', { count: elsewhere })}</span> : null}
          </p>
          {rest.length > 0 ? (
            <Button variant="quiet" size="S" onClick={() => choose(page, true)}>
              {t('page', { count: page.length })}
            </Button>
          ) : null}
          <Button variant="quiet" size="S" onClick={clear}>
            {t('clear')}
          </Button>
          {children}
        </section>
      ) : null}
    </>
  )
}
