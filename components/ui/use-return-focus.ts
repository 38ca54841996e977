'use client'

import { useRef } from 'react'
import { heirsOf, inherit } from './heirs'

/** The element that had the focus last, also after it was removed from the page. */
let lastFocused: HTMLElement | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    lastFocused = target instanceof HTMLElement ? target : null
  })

/** Returns the focused element. A menu that has just closed removed its focused item with it. */
function focused(): HTMLElement | null {
  const active = document.activeElement
  if (active instanceof HTMLElement && active !== document.body) return active
  return lastFocused?.isConnected === false ? lastFocused : null
}

/** Returns the element that opened the dialog: the focused one, or for an item of a closing menu, the menu's button. */
function opener(): HTMLElement | null {
  const active = focused()
  if (!active) return null
  const trigger = active.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return trigger ? document.getElementById(trigger) : active
}

/**
 * Returns the focus when a dialog closes. Radix does this only for dialogs with their own trigger; ours are opened by
 * state. If the opener was removed, such as the menu of a deleted row, its heir gets the focus: see `inherit`.
 */
export function useReturnFocus() {
  const openerElement = useRef<HTMLElement | null>(null)
  const heirs = useRef<HTMLElement[]>([])
  return {
    remember: () => {
      openerElement.current = opener()
      heirs.current = openerElement.current ? heirsOf(openerElement.current) : []
    },
    giveBack: (event: Event) => {
      event.preventDefault()
      if (openerElement.current?.isConnected) openerElement.current.focus()
      // if a dialog closes together with the question above it, the focus has been returned already
      else inherit(heirs.current)
    },
  }
}
