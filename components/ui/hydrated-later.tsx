'use client'

import { type ComponentType, lazy, Suspense } from 'react'

/**
 * Makes a part that the server draws with the page, and whose script comes after the page's: the rest of the page is
 * alive before. What is typed into it meanwhile is kept (ADR 36). For a large form, and for what only one tab of a page
 * shows.
 */
export function hydratedLater<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>
  // biome-ignore lint/correctness/noComponentHookFactories: called once a module, as `lazy` is
  return function HydratedLater(of: P) {
    return (
      <Suspense>
        <Part {...of} />
      </Suspense>
    )
  }
}
