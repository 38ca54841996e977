'use client'

import { useLayoutEffect, useRef } from 'react'

/** How much of the end of a column fades. */
const fade = 32

/**
 * Scrolls the row or the column that it stands in, so that its current link is in sight: after a reload, and when
 * `current` changes. In a row the link gets the middle; a column moves only if the link is out of sight.
 */
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
      // a row is as high as its links
      if (row.clientHeight < 2 * inside.height) return
      // where it fades, a link isn't in sight
      const [above, below] = [around.top + fade - inside.top, inside.bottom + fade - around.bottom]
      if (above > 0) row.scrollTop -= above
      else if (below > 0) row.scrollTop += below
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
