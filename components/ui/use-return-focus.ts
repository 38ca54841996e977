'use client'

import { useRef } from 'react'
import { heirsOf, inherit } from './heirs'

/** What had the focus last, also after it was removed from the page. */
let last: HTMLElement | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? target : null
  })

/** What has the focus; a menu that closed just now took its item, which had the focus, away with it. */
function focused(): HTMLElement | null {
  const active = document.activeElement
  if (active instanceof HTMLElement && active !== document.body) return active
  return last?.isConnected === false ? last : null
}

/** Who opened it: what has the focus, or for an item of a menu that closes now, the menu's button. */
function opener(): HTMLElement | null {
  const active = focused()
  if (!active) return null
  const trigger = active.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return trigger ? document.getElementById(trigger) : active
}

/**
 * Returns the focus when a dialog closes. Radix does so for dialogs with their own trigger; ours are opened by state. If
 * the opener is gone, such as the menu of a deleted row, its heir gets the focus: see `inherit`.
 */
export function useReturnFocus() {
  const from = useRef<HTMLElement | null>(null)
  const heirs = useRef<HTMLElement[]>([])
  return {
    remember: () => {
      from.current = opener()
      heirs.current = from.current ? heirsOf(from.current) : []
    },
    giveBack: (event: Event) => {
      event.preventDefault()
      if (from.current?.isConnected) from.current.focus()
      // a dialog that closes together with the question above it has given the focus back already
      else inherit(heirs.current)
    },
  }
}
