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
  /** Stands at the end of the label's line, such as how long the code works. */
  aside?: ReactNode
  /** Digits in the code. */
  length: number
  value: string
  onChange: (value: string) => void
  /** Called once the last digit is there. */
  onComplete: (value: string) => void
  inputRef?: Ref<HTMLInputElement>
}

/** One field for a code from a message, shown as a box for each digit; phones can fill it in. */
export function CodeField({ id, name, label, error, aside, length, value, onChange, onComplete, inputRef }: Props) {
  return (
    <div className="relative">
      {aside ? <div className="absolute top-0 right-0 text-ink-second text-note">{aside}</div> : null}
      <Field id={id} label={label} error={error}>
        {(bound) => (
          <OTPInput
            {...bound}
            ref={inputRef}
            name={name}
            maxLength={length}
            value={value}
            onChange={onChange}
            onComplete={onComplete}
            pattern={REGEXP_ONLY_DIGITS}
            inputMode="numeric"
            autoComplete="one-time-code"
            enterKeyHint="go"
            pasteTransformer={(pasted) => pasted.replace(/\D/g, '')}
            pushPasswordManagerStrategy="none"
            containerClassName="w-full"
            render={({ slots }) => (
              <div aria-hidden="true" className="flex w-full gap-2.5">
                {slots.map(({ char, isActive, hasFakeCaret }, index) => (
                  <span
                    // biome-ignore lint/suspicious/noArrayIndexKey: boxes have no other identity than their place
                    key={index}
                    className={cn(
                      'relative flex h-15 min-w-0 flex-1 items-center justify-center rounded-control border border-line-field bg-surface font-semibold text-[1.625rem] tabular-nums transition-colors',
                      isActive && 'border-brand outline-2 outline-brand outline-offset-1',
                      error && 'border-danger',
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
    </div>
  )
}
