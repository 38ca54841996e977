import { type ReactNode, Suspense } from 'react'

type Props = {
  /** Whether the page has opened without this part. */
  later: boolean
  /** Shown until the part is loaded. */
  fallback?: ReactNode
  children: ReactNode
}

/**
 * A part whose script is loaded when it is needed. A part with which the page opens has no boundary: the server sends
 * the content of a boundary after the page, so the person would see the fallback first.
 */
export const LazyPart = ({ later, fallback, children }: Props) =>
  later ? <Suspense fallback={fallback}>{children}</Suspense> : children
