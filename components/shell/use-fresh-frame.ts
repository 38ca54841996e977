'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useCallback, useEffect, useRef } from 'react'
import { hasUnsaved } from '../ui/leaving'
import { sinceOwnWrite } from '../ui/own-write'

/** Milliseconds for which a page that wrote is left to refresh itself. */
const quiet = 2_000
/** Milliseconds before the page is refreshed again for a mark that the refresh didn't bring. */
const again = 20_000

/** Returns whether the person may still open this page; if not, its form would go with what is typed. */
async function isStillOpen() {
  const answer = await fetch(window.location.href, { method: 'HEAD', redirect: 'manual' }).catch(() => undefined)
  return answer?.ok === true
}

/**
 * Returns the function that hears the mark of the account. It refreshes the page, which keeps what is typed and open, if
 * the page was rendered with another one (ADR 56); not if the page is no longer the person's, while something is typed.
 * `mark` is that of the page.
 */
export function useFreshFrame(mark: string): (now: string) => void {
  const router = useRouter()
  const shown = useRef(mark)
  const tried = useRef({ mark, until: 0 })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    shown.current = mark
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
      if (now === shown.current) return
      if (now === tried.current.mark && performance.now() < tried.current.until) return
      tried.current = { mark: now, until: performance.now() + again }
      const refresh = () => startTransition(() => router.refresh())
      if (!hasUnsaved()) return refresh()
      void isStillOpen().then((open) => {
        if (open) refresh()
      })
    },
    [router],
  )
}
