import { type ReactNode, Suspense } from 'react'
import { PartEnd } from './part-end'

/**
 * A part of a page that the server sends when it is ready, in place of `fallback`. With Suspense alone, what is typed and
 * clicked in it before React has taken it over would be lost.
 */
export const StreamedPart = ({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) => (
  <Suspense fallback={fallback}>
    {children}
    <PartEnd />
  </Suspense>
)
