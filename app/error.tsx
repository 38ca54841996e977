'use client'

import { lazy, Suspense } from 'react'

// every page has this boundary: its content is loaded when a page fails, and global-error is its fallback
const BrokenPage = lazy(async () => ({ default: (await import('@/components/shell/broken-page')).BrokenPage }))

export default function ErrorBoundary(props: { error: unknown; retry: () => void }) {
  return (
    <Suspense fallback={null}>
      <BrokenPage {...props} />
    </Suspense>
  )
}
