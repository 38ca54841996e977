'use client'

import { OTPInput, REGEXP_ONLY_DIGITS } from 'input-otp'
import type { ReactNode, Ref } from 'react'
import { cn } from '../ui/cn'
import { Field } from './field'

type Props = {
  id: string
  name: string
  label: string
  error?: string
  /** Lines below the boxes, such as how long the code is valid and when another may be requested. */
  aside?: ReactNode
  /** The number of digits. */
  length: number
  value: string
  onChange: (value: string) => void
  /** Called when the last digit is entered. */
  onComplete: (value: string) => void
  inputRef?: Ref<HTMLInputElement>
  autoFocus?: boolean
}

/** One field for a code from a message, drawn as a box for each digit. Phones can fill it in. */
export function CodeField({ id, name, label, error, aside, length, inputRef, ...input }: Props) {
  return (
    <div className="grid gap-1.5">
      <Field id={id} label={label} error={error}>
        {(bound) => (
          <OTPInput
            {...bound}
            {...input}
            ref={inputRef}
            name={name}
            maxLength={length}
            pattern={REGEXP_ONLY_DIGITS}
            inputMode="numeric"
            autoComplete="one-time-code"
            enterKeyHint="go"
            pasteTransformer={(pasted) => pasted.replace(/\D/g, '')}
            pushPasswordManagerStrategy="none"
            containerClassName="w-full"
            render={({ slots }) => (
              <div aria-hidden="true" className={cn('flex w-full gap-2.5', error && 'motion-safe:animate-shake')}>
                {slots.map(({ char, isActive, hasFakeCaret }, index) => (
                  <span
                    // biome-ignore lint/suspicious/noArrayIndexKey: boxes have no other identity than their place
                    key={index}
                    className={cn(
                      'relative flex h-15 min-w-0 flex-1 items-center justify-center rounded-control border font-semibold text-[1.625rem] tabular-nums transition-colors',
                      isActive && 'outline-2 outline-offset-1',
                      error
                        ? 'border-danger bg-danger-tint outline-danger'
                        : cn(isActive ? 'border-brand' : 'border-line-field', 'bg-surface outline-brand'),
                    )}
                  >
                    {char}
                    {hasFakeCaret ? <span className="h-7 w-0.5 animate-caret bg-ink" /> : null}
                  </span>
                ))}
              </div>
            )}
          />
        )}
      </Field>
      {aside ? (
        <div className="grid justify-items-start gap-1.5 text-ink-second text-note empty:hidden">{aside}</div>
      ) : null}
    </div>
  )
}
