'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Alert } from '../ui/alert'
import { TextLink } from '../ui/text-link'
import { reveal } from './reveal'

/** An error of the summary; `fieldId` is the id of its field. */
export type SummaryItem = { fieldId?: string; text: string }

/**
 * The error summary above a form. It takes the focus each time it appears, or is read out if `announced`; give it a new
 * `key` for a new failure.
 */
export function ErrorSummary({
  title,
  items = [],
  announced = false,
  children,
}: {
  title: string
  announced?: boolean
  items?: SummaryItem[]
  children?: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!announced) box.current?.focus()
  }, [announced])
  return (
    <Alert
      ref={box}
      tone="danger"
      role={announced ? 'alert' : 'group'}
      aria-label={title}
      tabIndex={-1}
      data-quiet-focus
      title={title}
    >
      {items.length > 0 ? (
        <ul className="grid gap-1">
          {items.map(({ fieldId, text }) => (
            <li key={`${fieldId} ${text}`}>
              {fieldId ? (
                <TextLink
                  href={`#${fieldId}`}
                  tone="danger"
                  onClick={(event) => {
                    // the address stays, because the browser's history contains the steps of the form
                    event.preventDefault()
                    reveal(fieldId)
                  }}
                >
                  {text}
                </TextLink>
              ) : (
                text
              )}
            </li>
          ))}
        </ul>
      ) : null}
      {children}
    </Alert>
  )
}
