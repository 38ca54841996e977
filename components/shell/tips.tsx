'use client'

import { type ReactNode, useEffect, useState } from 'react'

/** The widths of the window at which the menu shows only icons (app/globals.css). */
const rail = '(768px <= width < 1024px)'

type Tip = { text: string; x: number; y: number }

/**
 * Shows the label of an icon of the folded menu beside it, on hover and focus. One element serves the whole menu.
 * Screen readers read the labels of the entries.
 */
export function Tips({ label, children, className }: { label: string; children: ReactNode; className: string }) {
  const [tip, setTip] = useState<Tip | null>(null)
  const show = ({ target }: { target: EventTarget }) => {
    const entry = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null
    if (!entry || !(entry.closest('[data-mini]') || window.matchMedia(rail).matches)) return setTip(null)
    const { right, top, height } = entry.getBoundingClientRect()
    setTip({ text: entry.dataset.tip ?? '', x: right + 8, y: top + height / 2 })
  }
  const hide = () => setTip(null)
  useEffect(() => {
    if (!tip) return
    const dismiss = (event: KeyboardEvent) => event.key === 'Escape' && setTip(null)
    window.addEventListener('keydown', dismiss)
    return () => window.removeEventListener('keydown', dismiss)
  }, [tip])
  return (
    <aside aria-label={label} className={className} onMouseOver={show} onFocus={show} onMouseLeave={hide} onBlur={hide}>
      {children}
      {tip ? (
        <span
          aria-hidden="true"
          style={{ left: tip.x, top: tip.y }}
          className="pointer-events-none fixed z-50 -translate-y-1/2 rounded-control border border-line bg-surface px-2.5 py-1 font-medium text-note shadow-float"
        >
          {tip.text}
        </span>
      ) : null}
    </aside>
  )
}
