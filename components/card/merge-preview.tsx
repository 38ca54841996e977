'use client'

import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Alert } from '../ui/alert'

type Props<Preview> = {
  /** Reads what merging these objects would do. */
  read: (sourceIds: string[]) => Promise<Preview>
  /** Stores in the form what is shown, such as the versions that were read. */
  onRead: (preview: Preview) => void
  loading: string
  failed: string
  children: (preview: Preview) => ReactNode
}

/**
 * What a merge would do. It is read again when the form's `sourceIds` change. An answer for an earlier choice is
 * dropped.
 */
export function MergePreview<Preview>({ read, onRead, loading, failed, children }: Props<Preview>) {
  const key = ((useWatch({ name: 'sourceIds' }) ?? []) as string[]).join()
  const [answer, setAnswer] = useState<{ key: string; preview: Preview | null } | null>(null)
  const readNow = useEffectEvent(read)
  const note = useEffectEvent(onRead)
  useEffect(() => {
    if (!key) return
    let current = true
    readNow(key.split(','))
      .then((preview) => {
        if (!current) return
        note(preview)
        setAnswer({ key, preview })
      })
      .catch(() => current && setAnswer({ key, preview: null }))
    return () => {
      current = false
    }
  }, [key])
  if (!key) return null
  if (answer?.key !== key)
    return (
      <p role="status" className="text-ink-second text-note">
        {loading}
      </p>
    )
  if (!answer.preview)
    return (
      <Alert role="alert" tone="danger">
        {failed}
      </Alert>
    )
  return children(answer.preview)
}
