'use client'

import { type ComponentType, useEffect, useState } from 'react'
import type { AskProps } from './ask-panel'

type Props = AskProps & {
  /** Loads the question before it is asked. */
  soon?: boolean
}

/** A question that must be answered first, loaded when it is needed. If it can't be loaded, nothing happens. */
export function AskDialog({ soon = false, ...asked }: Props) {
  const { open, onOpenChange } = asked
  const [Panel, setPanel] = useState<ComponentType<AskProps> | null>(null)
  const needed = (open || soon) && !Panel
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the need asks
  useEffect(() => {
    if (!needed) return
    import('./ask-panel').then(
      ({ AskPanel }) => setPanel(() => AskPanel),
      () => {
        if (open) onOpenChange(false)
      },
    )
  }, [needed, open])
  return Panel ? <Panel {...asked} /> : null
}
