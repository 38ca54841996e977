'use client'

import { useLayoutEffect, useRef } from 'react'
import { heirsOf, inherit } from './heirs'

/**
 * For the menu or button of a row, which has `data-row-action`, and other elements that may disappear while they have
 * the focus. The focus moves to the next row's button, else to the previous one's, else to the page's heading.
 */
export function useKeptFocus<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (!element || document.activeElement !== element) return
      const heirs = heirsOf(element)
      // other rows may disappear too: look only after the page has been updated
      queueMicrotask(() => inherit(heirs))
    }
  }, [])
  return ref
}
