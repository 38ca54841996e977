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

/** Returns whether the browser's Back or Forward would show another page of the platform in this tab. */
const leavesBySteps = ({ navigationType, cancelable, destination }: NavigateEvent) => {
  // for another document, `beforeunload` asks
  if (navigationType !== 'traverse' || !cancelable || !destination.sameDocument) return false
  const { pathname, search } = new URL(destination.url)
  return pathname !== window.location.pathname || search !== window.location.search
}

/**
 * Use it inside a form. It tells the dialog whether the form has unsaved input, and asks before a link, `leaveThen`,
 * the browser's Back or closing the tab would lose that.
 */
export function UnsavedGuard({ dirty, busy }: FormState) {
  const t = useTranslations('ui.unsaved')
  const id = useId()
  const report = use(UnsavedScope)
  const [leaving, setLeaving] = useState<{ go: () => void } | null>(null)

  // a layout effect: a key could arrive before a later effect
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
      // another form with unsaved input has already asked
      if (guard.allowed || event.defaultPrevented) return
      const link = leavingLink(event)
      if (!link) return
      // runs before React and the router handle the click
      event.preventDefault()
      event.stopPropagation()
      leaveThen(() => link.click())
    }
    // browsers without the Navigation API can't stop Back
    const { navigation } = window as Partial<Pick<Window, 'navigation'>>
    const step = (event: NavigateEvent) => {
      if (guard.allowed || event.defaultPrevented || !leavesBySteps(event)) return
      event.preventDefault()
      leaveThen(() => void navigation?.traverseTo(event.destination.key))
    }
    window.addEventListener('beforeunload', beforeUnload)
    window.addEventListener('click', click, true)
    navigation?.addEventListener('navigate', step)
    return () => {
      leave()
      navigation?.removeEventListener('navigate', step)
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
