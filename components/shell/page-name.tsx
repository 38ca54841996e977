'use client'

import { createContext, type ReactNode, use, useLayoutEffect, useMemo, useState } from 'react'

const Named = createContext<{ name: string | null; set: (name: string | null) => void }>({ name: null, set: () => {} })

/** Around a layout and its pages: what a page calls itself is known to the layout's breadcrumbs. */
export function PageNames({ children }: { children: ReactNode }) {
  const [name, set] = useState<string | null>(null)
  return <Named value={useMemo(() => ({ name, set }), [name])}>{children}</Named>
}

/** Says what the open page is called, such as the name of a card's object. It renders nothing. */
export function PageName({ name }: { name: string }) {
  const { set } = use(Named)
  useLayoutEffect(() => {
    set(name)
    return () => set(null)
  }, [name, set])
  return null
}

/** What the open page calls itself; null for a page that is known by its screen's label. */
export const usePageName = () => use(Named).name
