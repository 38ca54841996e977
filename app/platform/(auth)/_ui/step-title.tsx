'use client'

import { type ReactNode, useEffect, useRef } from 'react'

const id = 'step-title'
/**
 * What a step's form gets beside `onSubmit`: its name, so that who comes to its field hears what is asked, and an action
 * that is never called: without any, a browser without scripts would put what was typed into the address.
 */
export const stepForm = { id: 'step-form', 'aria-labelledby': id, noValidate: true, action: () => undefined }

/** The page's title, with the step's in place of the label that stood there. */
function nameTab(step: string) {
  document.title = document.title.replace(/^.*?(?= — |$)/, () => step)
}

/**
 * The page's one heading, which says what is asked. When the step came in place of another, the tab is called after it,
 * and the heading takes the focus unless a field of the step has it.
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
