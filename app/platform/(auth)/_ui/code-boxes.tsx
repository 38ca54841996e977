import type { CSSProperties, ReactNode } from 'react'
import { focused } from '@/components/form/focused'
import { PlainField, plainControl } from '@/components/plain/plain-field'
import { cn } from '@/components/ui/cn'

type Props = {
  id: string
  name: string
  label: string
  error: string | undefined
  /** The error that the script shows once the code is out of date. */
  expired: string
  /** The number of digits. */
  length: number
  /** Whether the page opens with the cursor here; by default it does. */
  focusedFirst?: boolean
  /** Lines below the boxes, such as how long the code is valid. */
  children: ReactNode
}

/** One field for a code from a message over a box for each digit. Phones can fill it in. */
export const CodeBoxes = ({ id, name, label, error, expired, length, focusedFirst = true, children }: Props) => (
  <div className="grid gap-1.5">
    <PlainField id={id} label={label} error={error}>
      <div style={{ '--digits': length } as CSSProperties} className="code-boxes">
        <div aria-hidden="true" className={cn(error && 'motion-safe:animate-shake')}>
          {Array.from({ length }, (_, digit) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: boxes have no other identity than their place
            <span key={digit} className={error ? 'border-danger bg-danger-tint' : 'border-line-field bg-surface'} />
          ))}
        </div>
        <input
          {...plainControl(id, error)}
          {...(focusedFirst ? focused : {})}
          name={name}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="go"
          // a pasted code may have spaces between its digits
          maxLength={length * 2}
          data-code={length}
        />
      </div>
    </PlainField>
    <p id={`${id}-expired`} hidden className="text-danger text-note">
      {expired}
    </p>
    <div className="grid justify-items-start gap-1.5 text-ink-second text-note">{children}</div>
  </div>
)
