'use client'

import { type ComponentType, useEffect } from 'react'
import { Skeleton } from './skeleton'
import { useLater } from './use-later'

/**
 * Creates a component that is loaded when it is first rendered, such as the content of a dialog or a further step of a
 * page.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loadedPart: ComponentType<P> | null = null
  const keep = async () => {
    loadedPart = await load()
    return loadedPart
  }
  // biome-ignore lint/correctness/noComponentHookFactories: called once a module, as `lazy` is
  return function Later(props: P) {
    const { Part, ask } = useLater(keep)
    const CurrentPart = Part ?? loadedPart
    // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it is rendered
    useEffect(() => {
      if (!loadedPart) ask()
    }, [])
    if (CurrentPart) return <CurrentPart {...props} />
    return (
      <div className="p-5">
        <Skeleton className="h-40" />
      </div>
    )
  }
}
