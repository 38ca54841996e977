'use client'

import { useLength } from './run-log'

/** How long a run worked, in days, hours and minutes. */
export function RunLength({ seconds }: { seconds: number }) {
  return <>{useLength()(seconds)}</>
}
