'use client'

import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * Makes the fields inert while the form is being saved, because typed text would be lost. If the form stays, the field
 * that had the focus gets it back, unless an error has taken it.
 */
export function HeldFields({ pending, children }: { pending: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const fields = box.current
    if (!pending || !fields) return
    const { activeElement } = document
    const focusedField = activeElement instanceof HTMLElement && fields.contains(activeElement) ? activeElement : null
    fields.inert = true
    return () => {
      fields.inert = false
      // not when an error or the closed form has moved the focus
      setTimeout(() => {
        if (document.activeElement === document.body) focusedField?.focus()
      })
    }
  }, [pending])
  return (
    <div ref={box} className="contents">
      {children}
    </div>
  )
}
