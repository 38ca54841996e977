'use client'

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

/** A character typed, or something pasted, while the title has the focus belongs into the step's field. */
function typeIntoField(event: KeyboardEvent<HTMLElement>) {
  const command = event.ctrlKey || event.metaKey
  const typed = event.key.length === 1 && event.key !== ' ' && !command && !event.altKey
  if (typed || (command && event.code === 'KeyV'))
    event.currentTarget.closest('[data-step]')?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus()
}

/** The page's only heading; gets the focus if the step replaced another. */
export function StepTitle({ moved, lead, children }: { moved: boolean; lead?: ReactNode; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (moved) title.current?.focus()
  }, [moved])
  return (
    <div className="grid gap-2">
      <h1 ref={title} tabIndex={-1} onKeyDown={typeIntoField} className="text-title">
        {children}
      </h1>
      {lead ? <p className="text-ink-second">{lead}</p> : null}
    </div>
  )
}
