'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useEffect, useRef } from 'react'
import { followNotices, noticesChanged, notificationMark } from './feed'

/**
 * Refreshes the page when a notification arrives or is read elsewhere. `mark` is that of the rendered notifications.
 */
export function FreshList({ mark }: { mark: string }) {
  const router = useRouter()
  const renderedMark = useRef(mark)
  useEffect(() => {
    renderedMark.current = mark
  }, [mark])
  useEffect(() => {
    const stop = followNotices((latest) => {
      if (latest === 'failed' || notificationMark(latest) === renderedMark.current) return
      renderedMark.current = notificationMark(latest)
      startTransition(() => router.refresh())
    })
    noticesChanged()
    return stop
  }, [router])
  return null
}
