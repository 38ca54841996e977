'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useCallback, useEffect, useRef } from 'react'
import { hasUnsaved } from '../ui/leaving'
import { sinceOwnWrite } from '../ui/own-write'

/** Milliseconds for which a page that wrote may refresh itself. */
const quiet = 2_000
/** Milliseconds before the page is refreshed again for a frame version that the refresh didn't bring. */
const retryAfter = 20_000

/**
 * Returns whether the person may still open this page; otherwise a refresh would remove its form with the typed input.
 */
async function isStillOpen() {
  const answer = await fetch(window.location.href, { method: 'HEAD', redirect: 'manual' }).catch(() => undefined)
  return answer?.ok === true
}

/**
 * Returns the function that receives the frame version. It refreshes the page, which keeps what is typed and open, if
 * the page was rendered with another version (ADR 56); but not while something is typed on a page that the person may
 * no longer open. `mark` is the version of the rendered page.
 */
export function useFreshFrame(mark: string): (now: string) => void {
  const router = useRouter()
  const renderedMark = useRef(mark)
  const tried = useRef({ mark, until: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    renderedMark.current = mark
  }, [mark])
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    function look(now) {
      clearTimeout(timer.current)
      const wait = quiet - sinceOwnWrite()
      if (wait > 0) {
        timer.current = setTimeout(() => look(now), wait)
        return
      }
      if (now === renderedMark.current) return
      if (now === tried.current.mark && performance.now() < tried.current.until) return
      tried.current = { mark: now, until: performance.now() + retryAfter }
      const refresh = () => startTransition(() => router.refresh())
      if (!hasUnsaved()) return refresh()
      void isStillOpen().then((open) => {
        if (open) refresh()
      })
    },
    [router],
  )
}
