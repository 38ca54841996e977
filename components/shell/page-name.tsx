'use client'

import { createContext, type ReactNode, use, useLayoutEffect, useState, useSyncExternalStore } from 'react'

type Names = { name: string; above: string | undefined }

function namesStore() {
  let names: Names | null = null
  const listeners = new Set<() => void>()
  return {
    read: () => names,
    set(next: Names | null) {
      names = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
const Named = createContext(namesStore())

/**
 * Around a layout and its pages: what a page calls itself is known to the layout's breadcrumbs. The context holds a store
 * that never changes. If it held the names, React would hydrate all parts of the page that are still streamed as soon as
 * the page has said its name, in one task.
 */
export const PageNames = ({ children }: { children: ReactNode }) => (
  <Named value={useState(namesStore)[0]}>{children}</Named>
)

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
export function usePageNames(): Names | null {
  const { subscribe, read } = use(Named)
  return useSyncExternalStore(subscribe, read, () => null)
}
