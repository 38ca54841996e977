'use client'

import { useEffect, useState } from 'react'

/** Returns the whole seconds until a moment, by the clock; 0 if it is past or null. */
export function useSecondsTo(moment: number | null): number {
  const secondsLeft = () => (moment === null ? 0 : Math.max(0, Math.ceil((moment - Date.now()) / 1000)))
  const [, tick] = useState(0)
  const seconds = secondsLeft()
  const running = seconds > 0
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => tick((count) => count + 1), 500)
    return () => clearInterval(timer)
  }, [running])
  return seconds
}
