'use client'

import { useLength } from './run-log'

/** How long a batch job worked, in days, hours and minutes. */
export function RunLength({ seconds }: { seconds: number }) {
  return <>{useLength()(seconds)}</>
}
