'use client'

import * as Switch from '@radix-ui/react-switch'
import type { ComponentProps } from 'react'

/** The control of a switch. Its label is beside it. */
export function SwitchBox(props: ComponentProps<typeof Switch.Root>) {
  return (
    <Switch.Root
      {...props}
      className="group/switch relative h-6 w-10 shrink-0 cursor-pointer rounded-full border border-line-field bg-sunken transition-colors after:absolute after:-inset-2.5 data-[state=checked]:border-brand data-[state=checked]:bg-brand disabled:cursor-not-allowed disabled:opacity-50"
    >
      <Switch.Thumb className="block size-4 translate-x-[3px] rounded-full bg-line-field transition-transform data-[state=checked]:translate-x-[19px] data-[state=checked]:bg-brand-ink" />
    </Switch.Root>
  )
}
