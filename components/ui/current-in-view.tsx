'use client'

import { useLayoutEffect, useRef } from 'react'

/** Scrolls the row that it stands in, so that its current link is in sight: after a reload, and when `current` changes. */
export function CurrentInView({ current }: { current: string }) {
  const mark = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is current
  useLayoutEffect(() => {
    const row = mark.current?.parentElement
    const link = row?.querySelector('[aria-current="page"]')
    if (!row || !link) return
    const center = () => {
      const [around, inside] = [row.getBoundingClientRect(), link.getBoundingClientRect()]
      row.scrollLeft += inside.left + inside.width / 2 - around.left - around.width / 2
    }
    center()
    if (document.fonts.status === 'loaded') return
    // the row becomes wider with its font; where it was scrolled to the end, its last link would be cut off
    let gone = false
    void document.fonts.ready.then(() => gone || center())
    return () => {
      gone = true
    }
  }, [current])
  return <span ref={mark} hidden />
}
