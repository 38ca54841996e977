'use client'

import * as Radix from '@radix-ui/react-checkbox'
import { Minus } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Check } from '../ui/icons'

/**
 * The box of a checkbox: empty, checked, or with a dash if only some of its items are checked. Its label is beside it.
 */
export function CheckboxBox(props: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      {...props}
      className="relative flex size-5 shrink-0 cursor-pointer items-center justify-center rounded-[5px] border border-line-field bg-surface text-brand-ink transition-colors after:absolute after:-inset-3 hover:border-ink-second disabled:cursor-not-allowed disabled:opacity-50 aria-invalid:border-danger data-[state=checked]:border-brand data-[state=indeterminate]:border-brand data-[state=checked]:bg-brand data-[state=indeterminate]:bg-brand"
    >
      <Radix.Indicator>
        {props.checked === 'indeterminate' ? (
          <Minus aria-hidden="true" className="size-3.5" strokeWidth={3} />
        ) : (
          <Check className="size-3.5" />
        )}
      </Radix.Indicator>
    </Radix.Root>
  )
}
