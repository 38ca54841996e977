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
const PageNamesContext = createContext(namesStore())

/**
 * Around a layout and its pages: gives the names that pages set to the layout's breadcrumbs. The context holds a store
 * that never changes. If it held the names, React would hydrate all parts of the page that are still streamed as soon
 * as the page has set its name, in one task.
 */
export const PageNames = ({ children }: { children: ReactNode }) => (
  <PageNamesContext value={useState(namesStore)[0]}>{children}</PageNamesContext>
)

/**
 * Sets the name of the open page, such as the name of a card's object; `above`: the name of the page above it, if its
 * address has a parameter too. It renders nothing.
 */
export function PageName({ name, above }: { name: string; above?: string | undefined }) {
  const { set } = use(PageNamesContext)
  useLayoutEffect(() => {
    set({ name, above })
    return () => set(null)
  }, [name, above, set])
  return null
}

/**
 * The names that the open page has set for itself and the page above it; null for a page that has its screen's label.
 */
export function usePageNames(): Names | null {
  const { subscribe, read } = use(PageNamesContext)
  return useSyncExternalStore(subscribe, read, () => null)
}
