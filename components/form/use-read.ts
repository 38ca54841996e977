'use client'

import { useEffect, useState } from 'react'

/** What was read; null while it loads. */
type Reading<T> = T | 'failed' | null

/**
 * Reads what a dialog needs as it opens, and anew when one of `keys` changes or `retry` is called; without `load`
 * nothing. An answer that is overtaken is dropped. `onFailure` gets what was thrown.
 */
export function useRead<T>(
  load: (() => Promise<T>) | null,
  keys: readonly (string | null | undefined)[] = [],
  onFailure?: (error: unknown) => void,
): { read: Reading<T>; retry: () => void } {
  const [read, setRead] = useState<Reading<T>>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys and another attempt read again, not another function
  useEffect(() => {
    let left = false
    setRead(null)
    load?.().then(
      (found) => left || setRead(found),
      (error: unknown) => {
        if (left) return
        onFailure?.(error)
        setRead('failed')
      },
    )
    return () => {
      left = true
    }
  }, [...keys, attempt])
  return { read, retry: () => setAttempt((before) => before + 1) }
}
