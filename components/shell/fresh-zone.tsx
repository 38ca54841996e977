'use client'

import { useRouter } from 'next/navigation'
import { useTimeZone } from 'next-intl'
import { useEffect } from 'react'
import { whenIdle } from '../ui/when-idle'

/**
 * Refreshes a public page that was rendered for another time zone than this browser's, as on the first visit: at once
 * if it shows a time, else when the browser is idle.
 */
export function FreshZone() {
  const renderedZone = useTimeZone()
  const router = useRouter()
  useEffect(() => {
    const look = () => {
      const timeZone = window.keepTimeZone?.()
      // a page that answers a form has no address from which it could be read again
      if (timeZone && timeZone !== renderedZone && !document.querySelector('[data-view]')) router.refresh()
    }
    if (document.querySelector('main time')) look()
    else return whenIdle(look)
  }, [renderedZone, router])
  return null
}
