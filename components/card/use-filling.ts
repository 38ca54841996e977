'use client'

import { useSearchParams } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { fillParameter } from './fill-parameter'

/**
 * Calls `open` with the field that the address asks to fill in, if it is one of `fields`. The parameter is removed from
 * the address at once: Back and a reload don't open the field again, but the same link does.
 */
export function useFilling(fields: readonly string[], open: (field: string) => void): void {
  const requestedField = useSearchParams().get(fillParameter)
  const field = requestedField !== null && fields.includes(requestedField) ? requestedField : null
  const onOpen = useEffectEvent(open)
  useEffect(() => {
    if (field === null) return
    const address = new URL(window.location.href)
    address.searchParams.delete(fillParameter)
    window.history.replaceState(null, '', address)
    onOpen(field)
  }, [field])
}
