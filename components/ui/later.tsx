'use client'

import { type ComponentType, useEffect } from 'react'
import { Skeleton } from './skeleton'
import { useLater } from './use-later'
import { whenIdle } from './when-idle'

/**
 * Makes a part that is loaded as it is first rendered, such as the content of a dialog or a further step of a page. With
 * `idle` it is loaded when the browser has nothing else to do, as for the hidden tabs of a form.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { idle = false } = {},
): ComponentType<P> {
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
      if (known) return
      if (idle) return whenIdle(ask)
      ask()
    }, [])
    if (Shown) return <Shown {...of} />
    return (
      <div className="p-5">
        <Skeleton className="h-40" />
      </div>
    )
  }
}
