'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useEffect, useRef } from 'react'
import { followNotices, noticesChanged, notificationMark } from './feed'

/** Reads the page anew when a notice comes or is read elsewhere. `mark` is what the page was rendered with. */
export function FreshList({ mark }: { mark: string }) {
  const router = useRouter()
  const known = useRef(mark)
  useEffect(() => {
    known.current = mark
  }, [mark])
  useEffect(() => {
    const stop = followNotices((last) => {
      if (last === 'failed' || notificationMark(last) === known.current) return
      known.current = notificationMark(last)
      startTransition(() => router.refresh())
    })
    noticesChanged()
    return stop
  }, [router])
  return null
}
