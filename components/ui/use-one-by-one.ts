'use client'

import { startTransition, useEffect, useState } from 'react'
import { whenIdle } from './when-idle'

/**
 * Returns how many of `all` parts may be made: none until the page is alive, then one more each time that the browser
 * has nothing else to do. So the hidden parts of a page never keep it busy for long. Once they are needed `atOnce`, as by
 * somebody who opens one early, all are made and stay.
 */
export function useOneByOne(all: number, atOnce: boolean): number {
  const [made, setMade] = useState(0)
  if (atOnce && made < all) setMade(all)
  useEffect(() => {
    if (made < all) return whenIdle(() => startTransition(() => setMade((before) => Math.max(before, made + 1))))
  }, [made, all])
  return made
}
