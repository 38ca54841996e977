'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useEffect, useRef } from 'react'
import { followNotices, markOf, noticesChanged } from './feed'

/** Reads the page anew when a notice comes or is read elsewhere. `mark` is what the page was rendered with. */
export function FreshList({ mark }: { mark: string }) {
  const router = useRouter()
  const known = useRef(mark)
  useEffect(() => {
    known.current = mark
  }, [mark])
  useEffect(() => {
    const stop = followNotices((last) => {
      if (last === 'failed' || markOf(last) === known.current) return
      known.current = markOf(last)
      startTransition(() => router.refresh())
    })
    noticesChanged()
    return stop
  }, [router])
  return null
}
