'use client'

import { useEffect } from 'react'

/** Makes the browser store the offline page in this language, theme and style. */
export function OfflinePage({ variant }: { variant: string }) {
  useEffect(() => {
    if (!('serviceWorker' in navigator) || !window.isSecureContext) return
    navigator.serviceWorker
      .register(`/platform/sw.js?${variant}`, { scope: '/platform/' })
      .catch((error) => console.warn('the offline page is not kept', error))
  }, [variant])
  return null
}
