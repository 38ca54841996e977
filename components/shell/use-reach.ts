'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import { liveAddress } from './live-stream'

/** Milliseconds between two tries to reach the server when there is a network again. */
const pause = 2_000

/**
 * Returns whether this page reaches the server (`there`), and the function that reports it (`reach`). When the server
 * is reachable again, the page is refreshed, because it may have missed changes.
 */
export function useReach() {
  const router = useRouter()
  const [there, setThere] = useState(true)
  const was = useRef(true)
  const reach = useCallback(
    (now: boolean) => {
      if (now && !was.current) router.refresh()
      was.current = now
      setThere(now)
    },
    [router],
  )
  useEffect(() => {
    const lost = () => reach(false)
    let timer: ReturnType<typeof setTimeout> | undefined
    // a network doesn't mean that the server answers: refreshing too early would show the browser's own error page
    const back = async () => {
      const headers = { accept: 'application/json' }
      const answer = await fetch(liveAddress, { headers, cache: 'no-store' }).catch(() => undefined)
      if (answer && answer.status < 500) reach(true)
      else timer = setTimeout(back, pause)
    }
    if (!navigator.onLine) lost()
    window.addEventListener('offline', lost)
    window.addEventListener('online', back)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('offline', lost)
      window.removeEventListener('online', back)
    }
  }, [reach])
  return { there, reach }
}
