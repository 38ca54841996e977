'use client'

import { useLayoutEffect, useRef } from 'react'

/** Scrolls its row so that the current link is visible: after a reload, and when `current` changes. */
export function CurrentInView({ current }: { current: string }) {
  const mark = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is current
  useLayoutEffect(() => {
    const row = mark.current?.parentElement
    const link = row?.querySelector('[aria-current="page"]')
    if (!row || !link) return
    const center = () => {
      const [rowBox, linkBox] = [row.getBoundingClientRect(), link.getBoundingClientRect()]
      row.scrollLeft += linkBox.left + linkBox.width / 2 - rowBox.left - rowBox.width / 2
    }
    center()
    if (document.fonts.status === 'loaded') return
    // the row becomes wider with its font; in a row scrolled to its end, the last link would be cut off
    let ended = false
    void document.fonts.ready.then(() => ended || center())
    return () => {
      ended = true
    }
  }, [current])
  return <span ref={mark} hidden />
}
