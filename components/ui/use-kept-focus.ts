'use client'

import { useLayoutEffect, useRef } from 'react'

/**
 * For the menu or button of a row. If the row is removed while this has the focus, the focus moves to the next row's
 * button, otherwise to the previous one's, otherwise to the page's content. Each such element has `data-row-action`.
 */
export function useKeptFocus<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (!element || document.activeElement !== element) return
      const all = [...document.querySelectorAll<HTMLElement>('[data-row-action]')]
      const at = all.indexOf(element)
      const heirs = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0)).reverse()]
      // the others may go with it: that is known once the page is as it will be
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return
        const heir = heirs.find(({ isConnected }) => isConnected) ?? document.getElementById('main')
        heir?.focus({ preventScroll: heir.id === 'main' })
      })
    }
  }, [])
  return ref
}
