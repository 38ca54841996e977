'use client'

import Link from 'next/link'
import { type ComponentProps, useId } from 'react'
import { Button } from '../ui/button'
import { buttonClasses } from '../ui/button-classes'
import { useKeptFocus } from '../ui/use-kept-focus'
import type { Action } from './actions'
import { useActions } from './use-action'

type Props = Pick<ComponentProps<typeof Button>, 'variant' | 'size'> & {
  action: Action
  /** The name for screen readers, if the label alone isn't enough: “End: Chrome, Windows”. */
  name?: string
}

/** It uses colors instead of opacity, so that the focus ring stays fully visible. */
const unavailableLook = 'cursor-not-allowed! border border-line! bg-sunken! text-ink-second/70!'

/** An action as a button, in the header of a card or in a row that has only one action. */
export function ActionButton({ action, name, variant = 'secondary', size = 'S' }: Props) {
  const { offerOf, begin, pending, dialog } = useActions()
  const focusRef = useKeptFocus<HTMLButtonElement>()
  const note = useId()
  const offer = offerOf(action)
  const { label, unavailable, step } = offer
  if (step.kind === 'link' && !unavailable)
    return (
      <Link href={step.href} prefetch={false} aria-label={name} className={buttonClasses({ variant, size })}>
        {label}
      </Link>
    )
  const button = (
    <Button
      ref={focusRef}
      data-row-action=""
      variant={variant}
      size={size}
      pending={pending && step.kind === 'call'}
      aria-label={name}
      aria-disabled={unavailable ? true : undefined}
      aria-describedby={unavailable ? note : undefined}
      onClick={() => begin(offer)}
      className={unavailable ? unavailableLook : undefined}
    >
      {label}
    </Button>
  )
  return (
    <>
      {unavailable ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {button}
          <p id={note} className="text-ink-second text-note">
            {unavailable}
          </p>
        </div>
      ) : (
        button
      )}
      {dialog}
    </>
  )
}
