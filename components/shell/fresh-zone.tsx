'use client'

import { useRouter } from 'next/navigation'
import { useTimeZone } from 'next-intl'
import { useEffect } from 'react'
import { whenIdle } from '../ui/when-idle'

/**
 * Reads a public page again if it was made for another zone than this browser's, as on the first visit: at once where it
 * shows a time, else when there is nothing else to do.
 */
export function FreshZone() {
  const shown = useTimeZone()
  const router = useRouter()
  useEffect(() => {
    const look = () => {
      const timeZone = window.keepTimeZone?.()
      // a page that answers a form has no address by which it could be read again
      if (timeZone && timeZone !== shown && !document.querySelector('[data-view]')) router.refresh()
    }
    if (document.querySelector('main time')) look()
    else return whenIdle(look)
  }, [shown, router])
  return null
}
