'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { readProviderRun } from '@/lib/entry/provider-sync/contract'
import { CallError, call } from '@/lib/kernel/http/client'

const read = (id: string) =>
  call<typeof readProviderRun>({ method: 'GET', path: '/setting/providers/runs/{id}' }, { params: { id } })

/** Milliseconds between two looks at a run that works. */
const every = 1_000

export type ShownRun = Awaited<ReturnType<typeof read>>

/**
 * Follows a run while it works and the page is seen. When it ends, the page around it is read anew. `first` is the run as
 * the page has read it, which is shown until it is read again.
 */
export function useRun(id: string, first: ShownRun | null = null) {
  const router = useRouter()
  const [shown, setShown] = useState(first)
  const [fault, setFault] = useState<CallError | null>(null)
  const before = useRef<string | null>(first?.run.state ?? null)
  const look = useCallback(async () => {
    try {
      const next = await read(id)
      setShown(next)
      setFault(null)
      if (before.current !== null && before.current !== next.run.state) router.refresh()
      before.current = next.run.state
    } catch (error) {
      setFault(error instanceof CallError ? error : new CallError(0, 'techError', {}, undefined, undefined))
    }
  }, [id, router])
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
