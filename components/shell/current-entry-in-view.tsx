'use client'

import { usePathname } from 'next/navigation'
import { useLayoutEffect, useRef } from 'react'

/** Scrolls the menu that it stands in, so that the entry of the open page is in sight. */
export function CurrentEntryInView() {
  const mark = useRef<HTMLSpanElement>(null)
  const path = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is current
  useLayoutEffect(() => {
    mark.current?.parentElement?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return <span ref={mark} hidden />
}
