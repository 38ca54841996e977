'use client'

import { useLayoutEffect, useRef } from 'react'

/**
 * For what a row's menu or button hangs on: when the row goes while this has the focus, the next row's takes over,
 * else the one before, else the page's content. Each such element bears `data-row-action`.
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
