'use client'

import { useTranslations } from 'next-intl'
import { createContext, use, useId, useLayoutEffect, useState } from 'react'
import { AskDialog } from './ask-dialog'
import { type Guard, leaveThen, standGuard } from './leaving'

export type FormState = { dirty: boolean; busy: boolean }

/** The context by which the forms of a dialog report unsaved input. */
export const UnsavedScope = createContext<((id: string, state: FormState | null) => void) | null>(null)

/** Returns the link of the platform that a click would follow in this tab to another page, otherwise null. */
function leavingLink(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  if (!link || (link.target && link.target !== '_self') || link.hasAttribute('download')) return null
  const { origin, pathname, search } = new URL(link.href)
  if (origin !== window.location.origin) return null
  return pathname === window.location.pathname && search === window.location.search ? null : link
}

/**
 * Use it inside a form. It tells the dialog whether the form has unsaved input, and asks before a link, `leaveThen` or
 * closing the tab would lose that.
 */
export function UnsavedGuard({ dirty, busy }: FormState) {
  const t = useTranslations('ui.unsaved')
  const id = useId()
  const report = use(UnsavedScope)
  const [leaving, setLeaving] = useState<{ go: () => void } | null>(null)

  // with what is displayed: an effect after it would let a key come in between
  useLayoutEffect(() => {
    report?.(id, { dirty, busy })
    return () => report?.(id, null)
  }, [report, id, dirty, busy])

  useLayoutEffect(() => {
    if (!dirty) return
    const guard: Guard = { ask: (go) => setLeaving({ go }), allowed: false }
    const leave = standGuard(guard)
    const beforeUnload = (event: BeforeUnloadEvent) => {
      if (!guard.allowed) event.preventDefault()
    }
    const click = (event: MouseEvent) => {
      // another form with unsaved input has asked already
      if (guard.allowed || event.defaultPrevented) return
      const link = leavingLink(event)
      if (!link) return
      // runs before React and the router handle the click
      event.preventDefault()
      event.stopPropagation()
      leaveThen(() => link.click())
    }
    window.addEventListener('beforeunload', beforeUnload)
    window.addEventListener('click', click, true)
    return () => {
      leave()
      window.removeEventListener('beforeunload', beforeUnload)
      window.removeEventListener('click', click, true)
    }
  }, [dirty])

  return (
    <AskDialog
      soon={dirty}
      open={leaving !== null}
      onOpenChange={(open) => {
        if (!open) setLeaving(null)
      }}
      title={t('title')}
      text={t('text')}
      cancel={t('stay')}
      confirm={t('leave')}
      onConfirm={() => {
        setLeaving(null)
        leaving?.go()
      }}
    />
  )
}
