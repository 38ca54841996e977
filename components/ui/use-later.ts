'use client'

import { createContext, type MouseEvent, use, useEffect, useState } from 'react'

/** How the person opened a part that is loaded on demand; null in a part that was not loaded this way. */
export type AskedBy = 'pointer' | 'keyboard' | null
export const AskedByContext = createContext<AskedBy>(null)

/**
 * Returns whether a part was loaded by a click, so that it opens at once, and whether the click came from the keyboard.
 */
export const useAskedBy = () => use(AskedByContext)

/**
 * A part of the page that is loaded when its button is first used, so that the page doesn't wait for it. `wake` are the
 * button's handlers: hover or focus loads the part; a click that comes earlier opens it once it is loaded. `Part` is
 * null until the part is loaded. If loading fails, the error page is shown, unless there is no network.
 */
export function useLater<T>(load: () => Promise<T>) {
  const [Part, setPart] = useState<T | null>(null)
  const [asked, setAsked] = useState<AskedBy>(null)
  useEffect(() => {
    // later clicks are handled by the part itself
    if (Part) setAsked(null)
  }, [Part])
  const preload = () => void load().catch(() => undefined)
  const ask = (by: AskedBy = 'pointer') => {
    if (asked || Part) return
    setAsked(by)
    load().then(
      (Loaded) => setPart(() => Loaded),
      (error: unknown) => {
        setAsked(null)
        if (navigator.onLine)
          setPart(() => {
            throw error
          })
      },
    )
  }
  const wake = {
    'aria-busy': (asked !== null && !Part) || undefined,
    onPointerEnter: preload,
    onPointerDown: preload,
    onFocus: preload,
    onClick: ({ detail }: MouseEvent) => ask(detail > 0 ? 'pointer' : 'keyboard'),
  }
  return { Part, asked, ask, preload, wake }
}
