'use client'

import { useEffect, useState } from 'react'
import { call } from '@/lib/base/http/client'
import { localName, type Named } from '@/lib/base/i18n/local-name'
import { inOtherLayout } from './keys'

/** A list whose records the person may read: its call, the name of the rows in the answer, and its page. */
export type RecordSource = { path: string; rows: string; href: string }
type FoundRecord = { id: string; label: string; href: string }
/** The records found in a list. `all` opens the whole result if there are more than shown. */
export type FoundGroup = { source: RecordSource; records: FoundRecord[]; all: string | null }

type State = { text: string; state: 'idle' | 'searching' | 'done'; groups: FoundGroup[]; failed: boolean }

/** The smallest number of letters, milliseconds without typing before a search, and the number of records per list. */
const least = 2
const settled = 200
const mostRecords = 5

type Row = { id: string } & Named
type Asks = (contract: object, input: object, options: { signal: AbortSignal }) => Promise<Record<string, unknown>>

const pageOf = ({ href }: RecordSource, text: string) => `${href}?${new URLSearchParams({ 'filter[search]': text })}`

async function ask(source: RecordSource, text: string, locale: string, signal: AbortSignal): Promise<FoundGroup> {
  const query = { 'filter[search]': text.slice(0, 100), 'meta[perPage]': 10 }
  const answer = await (call as unknown as Asks)({ method: 'GET', path: source.path }, { query }, { signal })
  const rows = (answer[source.rows] ?? []) as Row[]
  const records = rows.slice(0, mostRecords).map((row) => {
    const label = localName(row, locale)
    return { id: row.id, label, href: pageOf(source, label.slice(0, 100)) }
  })
  return { source, records, all: rows.length > mostRecords ? pageOf(source, query['filter[search]']) : null }
}

/** Searches a text in a list; if it finds nothing, it searches the text in the other keyboard layout. */
async function find(source: RecordSource, text: string, locale: string, signal: AbortSignal): Promise<FoundGroup> {
  const answer = await ask(source, text, locale, signal)
  const otherText = inOtherLayout(text)
  return answer.records.length > 0 || otherText === text.toLowerCase() ? answer : ask(source, otherText, locale, signal)
}

/**
 * Searches the sources when the person stops typing. A newer text drops the answers for an older one. A list that fails
 * doesn't affect the others.
 */
export function useRecords(sources: readonly RecordSource[], typed: string, locale: string) {
  const text = typed.trim()
  const [result, setResult] = useState<State>({ text: '', state: 'idle', groups: [], failed: false })
  useEffect(() => {
    if (text.length < least || sources.length === 0) {
      setResult({ text, state: 'idle', groups: [], failed: false })
      return
    }
    const abort = new AbortController()
    setResult((before) => ({ ...before, state: 'searching' }))
    const timer = setTimeout(async () => {
      const answers = await Promise.allSettled(sources.map((source) => find(source, text, locale, abort.signal)))
      if (abort.signal.aborted) return
      setResult({
        text,
        state: 'done',
        groups: answers.flatMap((answer) =>
          answer.status === 'fulfilled' && answer.value.records.length > 0 ? [answer.value] : [],
        ),
        failed: answers.some(({ status }) => status === 'rejected'),
      })
    }, settled)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [sources, text, locale])
  // the answer for another text would be stored under this one
  return result.text === text ? result : { ...result, state: 'searching' as const }
}
