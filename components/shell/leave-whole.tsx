'use client'

import { useEffect } from 'react'

const reading = /^\/platform\/(?:law|help)(?:\/|$)/

/** Lets the browser follow a link to any page where something is typed: the script of the counter ends with its page. */
function letBrowserFollow(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link && link.origin === location.origin && !reading.test(link.pathname)) event.stopPropagation()
}

/** Makes links lead out of a page that runs a foreign script by loading a whole new one. */
export const leaveWhole = () => document.addEventListener('click', letBrowserFollow, true)

export function LeaveWhole() {
  useEffect(leaveWhole, [])
  return null
}
