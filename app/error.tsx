'use client'

import { lazy, Suspense } from 'react'

// every page carries this boundary: what it shows is fetched when one breaks, and global-error stands behind it
const BrokenPage = lazy(async () => ({ default: (await import('@/components/shell/broken-page')).BrokenPage }))

export default function ErrorBoundary(props: { error: unknown; retry: () => void }) {
  return (
    <Suspense fallback={null}>
      <BrokenPage {...props} />
    </Suspense>
  )
}
