'use client'

import { unstable_rethrow, useRouter } from 'next/navigation'
import { Component, type ReactNode, startTransition } from 'react'
import { ListFailed } from '../list/list-failed'

type Props = { children: ReactNode }

/**
 * A part of a card. When it fails, it says so in its place, and the rest of the card stays. Card has it around the open
 * tab. Put a Suspense inside: without one a failure on the server takes the page.
 */
export function CardPart({ children }: Props) {
  const router = useRouter()
  return <Boundary refresh={() => router.refresh()}>{children}</Boundary>
}

class Boundary extends Component<Props & { refresh: () => void }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(error: unknown) {
    // a redirect, or a page that isn't there, is for Next
    unstable_rethrow(error)
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    const retry = () =>
      startTransition(() => {
        this.props.refresh()
        this.setState({ failed: false })
      })
    return <ListFailed retry={retry} />
  }
}
