'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import { Button } from '../ui/button'
import { LinkButton } from '../ui/text-link'
import { useFocusBack } from './use-focus-back'

type Props = {
  /** The names of the changed fields. */
  names: readonly string[]
  errors: number
  failure: string | null
  pending: boolean
  /** Moves to the first error. */
  onErrors: () => void
  onCancel: () => void
}

/**
 * The bar at the bottom of the page while something is changed: how much, what, and the buttons that save or discard
 * it.
 */
export function SaveBar({ names, errors, failure, pending, onErrors, onCancel }: Props) {
  const t = useTranslations('ui.saveBar')
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    // it appears with the first change and may cover the focused field
    const field = document.activeElement
    const top = bar.current?.getBoundingClientRect().top ?? 0
    if (bar.current?.closest('form')?.contains(field) && field && field.getBoundingClientRect().bottom > top)
      field.scrollIntoView({ block: 'nearest' })
  }, [])
  useFocusBack(bar)
  return (
    <section
      ref={bar}
      aria-label={t('unsaved')}
      data-save-bar=""
      className="sticky bottom-[max(1rem,env(safe-area-inset-bottom))] z-10 mt-2 grid items-center gap-x-6 gap-y-2.5 rounded-card border border-line-strong bg-surface px-4 py-3 shadow-float max-sm:bottom-0 max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0 max-sm:border-b-0 max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-5 @min-[40rem]:grid-cols-[1fr_auto] print:hidden"
    >
      <div className="grid min-w-0 gap-0.5">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-table">
          <span className="flex items-center gap-2 font-medium">
            <span aria-hidden="true" className="size-2 rounded-full bg-brand" />
            {t('changes', { count: names.length })}
          </span>
          {errors > 0 ? (
            <LinkButton className="text-danger" onClick={onErrors}>
              {t('errorsCount', { count: errors })}
            </LinkButton>
          ) : null}
          <span className="min-w-0 truncate text-ink-second max-sm:hidden">{names.join(' · ')}</span>
        </p>
        {failure ? (
          <p role="alert" className="text-danger text-note">
            {failure}
          </p>
        ) : null}
      </div>
      <div className="grid auto-cols-fr grid-flow-col gap-2 @min-[40rem]:auto-cols-auto">
        <Button variant="secondary" disabled={pending} onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" pending={pending}>
          {t('save')}
        </Button>
      </div>
    </section>
  )
}
