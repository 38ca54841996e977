'use client'

import { useLayoutEffect } from 'react'

/** Tells the pre-hydration script that React has taken over the page. */
export function Hydrated() {
  useLayoutEffect(() => window.pageAlive?.(), [])
  return null
}
