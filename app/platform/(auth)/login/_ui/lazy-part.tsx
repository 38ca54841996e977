import { type ReactNode, Suspense } from 'react'

type Props = {
  /** Whether the page has opened without this part. */
  later: boolean
  /** Shown until the part is loaded. */
  fallback?: ReactNode
  children: ReactNode
}

/**
 * A part whose script is loaded when it is needed. Around a part with which the page opens there is no boundary: the
 * server sends what is in a boundary after the page, so the person would see the fallback first.
 */
export const LazyPart = ({ later, fallback, children }: Props) =>
  later ? <Suspense fallback={fallback}>{children}</Suspense> : children
