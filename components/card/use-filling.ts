'use client'

import { useSearchParams } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { fillParameter } from './fill-parameter'

/**
 * Calls `open` with the field that the address asks to fill in, if it is one of these. The address forgets it at once:
 * neither Back nor a reload opens it again, and the same link does.
 */
export function useFilling(fields: readonly string[], open: (field: string) => void): void {
  const asked = useSearchParams().get(fillParameter)
  const field = asked !== null && fields.includes(asked) ? asked : null
  const opened = useEffectEvent(open)
  useEffect(() => {
    if (field === null) return
    const address = new URL(window.location.href)
    address.searchParams.delete(fillParameter)
    window.history.replaceState(null, '', address)
    opened(field)
  }, [field])
}
