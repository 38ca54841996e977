'use client'

import { createContext, type ReactNode, use, useLayoutEffect, useMemo, useState } from 'react'

type Names = { name: string; above: string | undefined }
const Named = createContext<{ names: Names | null; set: (names: Names | null) => void }>({ names: null, set: () => {} })

/** Around a layout and its pages: what a page calls itself is known to the layout's breadcrumbs. */
export function PageNames({ children }: { children: ReactNode }) {
  const [names, set] = useState<Names | null>(null)
  return <Named value={useMemo(() => ({ names, set }), [names])}>{children}</Named>
}

/**
 * Says what the open page is called, such as the name of a card's object; `above`: what the page above it is called, if
 * its address has a parameter too. It renders nothing.
 */
export function PageName({ name, above }: { name: string; above?: string | undefined }) {
  const { set } = use(Named)
  useLayoutEffect(() => {
    set({ name, above })
    return () => set(null)
  }, [name, above, set])
  return null
}

/** What the open page calls itself and the page above it; null for a page that is known by its screen's label. */
export const usePageNames = () => use(Named).names
