'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { BatchJob } from '@/lib/base/batch-jobs/contracts'
import { CallError } from '@/lib/base/http/client'

/** Milliseconds between two looks at a run that works. */
const every = 1_000

/**
 * Follows a run while it works: a hidden page doesn't ask, and one without a connection asks on. When its state changes,
 * the page around it is read anew. `read` must be the same function each time. `first` is the run as the page has read
 * it, which is shown until it is read again.
 */
export function useRun<Shown extends { run: Pick<BatchJob, 'state'> }>(
  read: (id: string) => Promise<Shown>,
  id: string,
  first: Shown | null = null,
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
  const over = fault !== null && fault.status >= 400 && fault.status < 500
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each run
  useEffect(() => {
    // a page that comes back may be old; only a run that is done stays as it is
    if (first?.run.state !== 'done') void look()
  }, [look])
  useEffect(() => {
    if ((state && state !== 'running') || over) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void look(), every)
    return () => clearInterval(timer)
  }, [state, over, look])
  return { shown, fault, look }
}
