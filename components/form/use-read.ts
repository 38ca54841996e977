'use client'

import { useEffect, useState } from 'react'

/** What was read; null while it loads. */
type Reading<T> = T | 'failed' | null

/**
 * Reads the data of a dialog when it opens, and again when one of `keys` changes or `retry` is called; without `load`
 * it reads nothing. An outdated answer is dropped. `onFailure` gets the error.
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
    let ended = false
    setRead(null)
    load?.().then(
      (answer) => ended || setRead(answer),
      (error: unknown) => {
        if (ended) return
        onFailure?.(error)
        setRead('failed')
      },
    )
    return () => {
      ended = true
    }
  }, [...keys, attempt])
  return { read, retry: () => setAttempt((before) => before + 1) }
}
