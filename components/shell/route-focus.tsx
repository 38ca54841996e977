'use client'

import { usePathname } from 'next/navigation'
import { useEffect } from 'react'

/** The path of the last page. It survives changes of the layout; undefined until the first page is mounted. */
let before: string | undefined

/** Moves the focus to the heading after navigation, so that screen readers begin there. */
export function RouteFocus() {
  const path = usePathname()
  useEffect(() => {
    const first = before === undefined
    if (before === path) return
    before = path
    if (first) return
    // an element that was opened before the navigation has the focus
    for (const open of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) open.hidePopover()
    const main = document.getElementById('main')
    const focusHeading = () => {
      const heading = main?.querySelector('h1')
      if (!heading) return false
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
      return true
    }
    if (!main || focusHeading()) return
    // the page is still loading, and its heading with it
    const observer = new MutationObserver(() => {
      if (focusHeading()) observer.disconnect()
    })
    observer.observe(main, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [path])
  return null
}
