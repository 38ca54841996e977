'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import { liveAddress } from './live-stream'

/** Milliseconds between two attempts to reach the server after the network is back. */
const pause = 2_000

/**
 * Returns whether this page reaches the server (`there`), and the function that reports it (`reach`). When the server
 * is reachable again, the page is refreshed, because it may have missed changes.
 */
export function useReach() {
  const router = useRouter()
  const [there, setThere] = useState(true)
  const wasReachable = useRef(true)
  const reach = useCallback(
    (now: boolean) => {
      if (now && !wasReachable.current) router.refresh()
      wasReachable.current = now
      setThere(now)
    },
    [router],
  )
  useEffect(() => {
    const onOffline = () => reach(false)
    let timer: ReturnType<typeof setTimeout> | undefined
    // a network doesn't mean that the server answers: refreshing too early would show the browser's own error page
    const onOnline = async () => {
      const headers = { accept: 'application/json' }
      const answer = await fetch(liveAddress, { headers, cache: 'no-store' }).catch(() => undefined)
      if (answer && answer.status < 500) reach(true)
      else timer = setTimeout(onOnline, pause)
    }
    if (!navigator.onLine) onOffline()
    window.addEventListener('offline', onOffline)
    window.addEventListener('online', onOnline)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('offline', onOffline)
      window.removeEventListener('online', onOnline)
    }
  }, [reach])
  return { there, reach }
}
