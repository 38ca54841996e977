'use client'

import { createContext, type MouseEvent, use, useEffect, useState } from 'react'

/** How somebody asked for a part that loads on demand; null in a part that was there before anybody asked. */
export type Asked = 'pointer' | 'keyboard' | null
export const AskedContext = createContext<Asked>(null)

/** Tells a part that was loaded by a click to open at once, and a menu whether the click came from the keyboard. */
export const useAsked = () => use(AskedContext)

/**
 * A part of the page that loads with the first use of its button, so that the page doesn't wait for it. `wake` are the
 * button's handlers: pointing at it or focusing it loads the part, a click asks for it and isn't lost meanwhile. `Part`
 * is null until somebody has asked. A part that can't be loaded throws to the error page, except while there is no
 * network.
 */
export function useLater<T>(load: () => Promise<T>) {
  const [Part, setPart] = useState<T | null>(null)
  const [asked, setAsked] = useState<Asked>(null)
  useEffect(() => {
    // from now on the part opens by itself
    if (Part) setAsked(null)
  }, [Part])
  const preload = () => void load().catch(() => undefined)
  const ask = (how: Asked = 'pointer') => {
    if (asked || Part) return
    setAsked(how)
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
