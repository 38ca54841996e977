'use client'

import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Alert } from '../ui/alert'

type Props<Preview> = {
  /** Reads what it would do to merge these objects. */
  read: (sourceIds: string[]) => Promise<Preview>
  /** Notes in the form what is shown, such as the versions that were read. */
  onRead: (preview: Preview) => void
  loading: string
  failed: string
  children: (preview: Preview) => ReactNode
}

/** What a merge would do, read again with each choice of the form's `sourceIds`. An answer to an earlier choice is dropped. */
export function MergePreview<Preview>({ read, onRead, loading, failed, children }: Props<Preview>) {
  const key = ((useWatch({ name: 'sourceIds' }) ?? []) as string[]).join()
  const [found, setFound] = useState<{ key: string; preview: Preview | null } | null>(null)
  const readNow = useEffectEvent(read)
  const note = useEffectEvent(onRead)
  useEffect(() => {
    if (!key) return
    let current = true
    readNow(key.split(','))
      .then((preview) => {
        if (!current) return
        note(preview)
        setFound({ key, preview })
      })
      .catch(() => current && setFound({ key, preview: null }))
    return () => {
      current = false
    }
  }, [key])
  if (!key) return null
  if (found?.key !== key)
    return (
      <p role="status" className="text-ink-second text-note">
        {loading}
      </p>
    )
  if (!found.preview)
    return (
      <Alert role="alert" tone="danger">
        {failed}
      </Alert>
    )
  return children(found.preview)
}
