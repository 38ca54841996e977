'use client'

import * as Radix from '@radix-ui/react-tooltip'
import type { ReactElement } from 'react'

/** Shows in a word what a control does, on hover and keyboard focus. The word must also be available without it. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={200}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-60 max-w-70 animate-arrive rounded-pill bg-ink px-2 py-1 text-note text-paper"
        >
          {text}
        </Radix.Content>
      </Radix.Root>
    </Radix.Provider>
  )
}
