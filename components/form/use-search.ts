'use client'

import { useEffect, useState } from 'react'
import { isFound } from '@/lib/base/lists/search-form'

export type Option = { value: string; label: string; note?: string }
/** Finds options; an empty text finds the first ones. `named` finds those with these values, to show their labels. */
export type Search = ((text: string, signal: AbortSignal) => Promise<Option[]>) & {
  named?: (values: string[]) => Promise<Option[]>
}

type Found = { state: 'searching' | 'failed' | 'found'; options: Option[] }

/** Milliseconds without typing before a search starts. */
const settled = 200

/** Searches when the person stops typing. An answer is dropped if a newer search has started. */
export function useSearch(search: Search, text: string): Found {
  const [answer, setAnswer] = useState<Found>({ state: 'searching', options: [] })
  useEffect(() => {
    const abort = new AbortController()
    setAnswer(({ options }) => ({ state: 'searching', options }))
    const timer = setTimeout(
      async () => {
        try {
          const options = await search(text.trim(), abort.signal)
          if (!abort.signal.aborted) setAnswer({ state: 'found', options })
        } catch {
          if (!abort.signal.aborted) setAnswer({ state: 'failed', options: [] })
        }
      },
      text ? settled : 0,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [search, text])
  return answer
}

/** Searches in options that are all loaded. */
export const searchIn =
  (options: readonly Option[]): Search =>
  async (text) =>
    options.filter(({ label, note }) => isFound(text, [`${label} ${note ?? ''}`]))
