'use client'

import { useLayoutEffect, useRef } from 'react'
import { heirsOf, inherit } from './heirs'

/**
 * For the menu or button of a row, which has `data-row-action`, and for others that may go while they have the focus. The
 * focus moves to the next row's button, else to the previous one's, else to the page's heading.
 */
export function useKeptFocus<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (!element || document.activeElement !== element) return
      const heirs = heirsOf(element)
      // the others may go with it: that is known once the page is as it will be
      queueMicrotask(() => inherit(heirs))
    }
  }, [])
  return ref
}
