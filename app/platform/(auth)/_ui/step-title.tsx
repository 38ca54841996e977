'use client'

import { type ReactNode, useEffect, useRef } from 'react'

const id = 'step-title'
/**
 * Props of a step's form besides `onSubmit`. The name tells people who reach a field what the form asks for. The action
 * is never called, but without it a browser without scripts would put the values into the address.
 */
export const stepForm = { id: 'step-form', 'aria-labelledby': id, noValidate: true, action: () => undefined }

/** Focuses the step's title, for a step without a field. */
export const focusTitle = () => document.getElementById(id)?.focus()

/** Replaces the label in the page's title by that of the step. */
function nameTab(step: string) {
  document.title = document.title.replace(/^.*?(?= — |$)/, () => step)
}

/**
 * The only heading of the page: it says what the step asks for. When the step replaced another one, it renames the tab,
 * and takes the focus unless a field of the step has it.
 */
export function StepTitle({ moved, lead, children }: { moved: boolean; lead?: ReactNode; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (moved && title.current) nameTab(title.current.textContent)
  })
  useEffect(() => {
    if (moved && !document.activeElement?.matches('input')) title.current?.focus()
  }, [moved])
  return (
    <div className="grid gap-2">
      <h1 ref={title} id={id} tabIndex={-1} className="text-title">
        {children}
      </h1>
      {lead ? <p className="text-ink-second">{lead}</p> : null}
    </div>
  )
}
