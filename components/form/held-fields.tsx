'use client'

import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * The fields of a form that is closed after it was saved: nothing can be typed meanwhile, because it would be lost. If
 * the form stays, the field that had the focus gets it back, unless an error has taken it.
 */
export function HeldFields({ pending, children }: { pending: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const fields = box.current
    if (!pending || !fields) return
    const { activeElement } = document
    const from = activeElement instanceof HTMLElement && fields.contains(activeElement) ? activeElement : null
    fields.inert = true
    return () => {
      fields.inert = false
      // when an error or the closed form has moved the focus
      setTimeout(() => {
        if (document.activeElement === document.body) from?.focus()
      })
    }
  }, [pending])
  return (
    <div ref={box} className="contents">
      {children}
    </div>
  )
}
