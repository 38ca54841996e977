'use client'

import { useLayoutEffect } from 'react'

/** Tells the early script that React has taken over the page. */
export function Hydrated() {
  useLayoutEffect(() => window.pageAlive?.(), [])
  return null
}
