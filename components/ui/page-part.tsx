'use client'

import { unstable_rethrow, useRouter } from 'next/navigation'
import { Component, lazy, type ReactNode, Suspense, startTransition } from 'react'
import { digestOf } from './digest-of'
import { isMissingChunk } from './stale-page'

// few pages ever need it
const PartFailed = lazy(() => import('./part-failed').then((part) => ({ default: part.PartFailed })))

type Props = { of?: 'part' | 'list'; children: ReactNode }

/**
 * A part of a page. A failure is shown in its place, and the rest of the page stays; the next answer of the server
 * replaces it. Lists and the tabs of cards have it. Put a StreamedPart inside: without one a failure on the server makes
 * the whole page fail.
 */
export function PagePart(props: Props) {
  const router = useRouter()
  return <Boundary {...props} refresh={() => router.refresh()} />
}

type BoundaryProps = Props & { refresh: () => void }
type State = { failed: boolean; digest?: string | undefined; children: ReactNode }

class Boundary extends Component<BoundaryProps, State> {
  override state: State = { failed: false, children: this.props.children }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    // a redirect, or a missing page, is for Next; a missing script is for the page, which reloads itself
    unstable_rethrow(error)
    if (isMissingChunk(error)) throw error
    return { failed: true, digest: digestOf(error) }
  }

  static getDerivedStateFromProps({ children }: BoundaryProps, state: State): Partial<State> | null {
    return children === state.children ? null : { failed: false, children }
  }

  override render() {
    const { of, children, refresh } = this.props
    if (!this.state.failed) return children
    const retry = () =>
      startTransition(() => {
        refresh()
        this.setState({ failed: false })
      })
    return (
      // as high as the expected content, so that nothing below it moves
      <Suspense fallback={<div className="min-h-70 rounded-card border border-line bg-surface" />}>
        <PartFailed of={of} retry={retry} code={this.state.digest} />
      </Suspense>
    )
  }
}
