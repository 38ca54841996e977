'use client'

import { type ComponentType, useEffect } from 'react'
import { Skeleton } from './skeleton'
import { useLater } from './use-later'

/**
 * Makes a part that is loaded as it is first rendered, such as the content of a dialog or a further step of a page.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: ComponentType<P> | null = null
  const keep = async () => {
    known = await load()
    return known
  }
  // biome-ignore lint/correctness/noComponentHookFactories: called once a module, as `lazy` is
  return function Later(of: P) {
    const { Part, ask } = useLater(keep)
    const Shown = Part ?? known
    // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it is rendered
    useEffect(() => {
      if (!known) ask()
    }, [])
    if (Shown) return <Shown {...of} />
    return (
      <div className="p-5">
        <Skeleton className="h-40" />
      </div>
    )
  }
}
