'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { BatchJob } from '@/lib/base/batch-jobs/contracts'
import { CallError } from '@/lib/base/http/client'

/** Milliseconds between two reads of a batch job that works. */
const every = 1_000

/**
 * Follows a batch job while it works. A hidden page doesn't read it, and a page without a connection tries again. When
 * the state changes, the page is refreshed. `read` must be the same function each time. `first` is the batch job as the
 * page has read it; it is shown until the first answer.
 */
export function useRun<Answer extends { run: Pick<BatchJob, 'state'> }>(
  read: (id: string) => Promise<Answer>,
  id: string,
  first: Answer | null = null,
) {
  const router = useRouter()
  const [shown, setShown] = useState(first)
  const [fault, setFault] = useState<CallError | null>(null)
  const before = useRef(first?.run.state)
  const look = useCallback(async () => {
    try {
      const next = await read(id)
      setShown(next)
      setFault(null)
      if (before.current && before.current !== next.run.state) router.refresh()
      before.current = next.run.state
    } catch (error) {
      setFault(error instanceof CallError ? error : new CallError(0, 'techError', {}, undefined, undefined))
    }
  }, [read, id, router])
  const state = shown?.run.state
  const refused = fault !== null && fault.status >= 400 && fault.status < 500
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each run
  useEffect(() => {
    // a page that the browser restored may be old; only a batch job that is done stays as it is
    if (first?.run.state !== 'done') void look()
  }, [look])
  useEffect(() => {
    if ((state && state !== 'running') || refused) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void look(), every)
    return () => clearInterval(timer)
  }, [state, refused, look])
  return { shown, fault, look }
}
