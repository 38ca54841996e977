'use client'

import { lazy, Suspense } from 'react'

// every page contains this boundary, so its content is loaded only when a page fails; if that fails too, global-error
// is shown
const BrokenPage = lazy(async () => ({ default: (await import('@/components/shell/broken-page')).BrokenPage }))

export default function ErrorBoundary(props: { error: unknown; retry: () => void }) {
  return (
    <Suspense fallback={null}>
      <BrokenPage {...props} />
    </Suspense>
  )
}
