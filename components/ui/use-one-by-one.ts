'use client'

import { startTransition, useEffect, useState } from 'react'
import { whenIdle } from './when-idle'

/**
 * Returns how many of `total` parts may be rendered: none before hydration, then one more each time that the browser is
 * idle. So the hidden parts of a page never keep it busy for long. With `atOnce`, as when somebody opens one early, all
 * are rendered and stay.
 */
export function useOneByOne(total: number, atOnce: boolean): number {
  const [madeCount, setMadeCount] = useState(0)
  if (atOnce && madeCount < total) setMadeCount(total)
  useEffect(() => {
    if (madeCount < total)
      return whenIdle(() => startTransition(() => setMadeCount((before) => Math.max(before, madeCount + 1))))
  }, [madeCount, total])
  return madeCount
}
