'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { counterAddress } from '@/lib/base/navigation/counter'

/**
 * The web-analytics counter of read-only pages, rendered only after the visitor agreed to cookies. It runs in a frame
 * without an origin, which gets the page's address and has no access to the platform (docs/adr/0014).
 */
export function Counter() {
  const place = `${usePathname()}?${useSearchParams()}`
  const [address, setAddress] = useState<string | null>(null)
  const counted = useRef<{ place: string; page: string }>(undefined)
  useEffect(() => {
    if (counted.current?.place === place) return
    const before = counted.current?.page ?? document.referrer
    counted.current = { place, page: location.href }
    setAddress(counterAddress(location.href, before))
  }, [place])
  return address ? (
    <iframe
      key={address}
      src={address}
      sandbox="allow-scripts"
      hidden
      aria-hidden
      tabIndex={-1}
      title="metrics"
      data-metrics
    />
  ) : null
}
