import type { ReactNode } from 'react'
import { cn } from './cn'

const tones = {
  neutral: 'bg-sunken text-ink-second',
  ok: 'bg-ok-tint text-ok',
  warning: 'bg-warning-tint text-warning',
  danger: 'bg-danger-tint text-danger',
  info: 'bg-info-tint text-info',
}

/** A status: a dot and a word, so that the color isn't the only sign. */
export function Pill({ tone = 'neutral', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-pill px-2 py-0.5 font-medium text-note',
        tones[tone],
      )}
    >
      <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
      {children}
    </span>
  )
}
