'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Alert } from '@/components/ui/alert'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'
import { type FieldOwner, readDynamicField } from '@/lib/fields/dynamic-fields/contract'

/** How many owners have a value; it isn't read yet, or unknown after a failure. */
export type OwnerCount = number | 'reading' | 'unknown'

type Stored = { type: FieldOwner; id: string }
type Counts = Pick<CallOutput<typeof readDynamicField>['field'], 'valueCount' | 'lackingCount'>

/** Counts the values of a stored field after the page has loaded: among a million owners it takes most of a second. */
function useCounts(storedField: Stored | undefined): Counts | 'reading' | 'unknown' {
  const [counts, setCounts] = useState<Counts | 'reading' | 'unknown'>('reading')
  const { type, id } = storedField ?? {}
  useEffect(() => {
    if (!type || !id) return
    const abort = new AbortController()
    call(readDynamicField, { params: { type, id } }, { signal: abort.signal }).then(
      ({ field }) => setCounts(field),
      () => abort.signal.aborted || setCounts('unknown'),
    )
    return () => abort.abort()
  }, [type, id])
  return counts
}

/** Returns how many owners have a value of a stored field; 0 for a field that isn't stored. */
export function useValueCount(field: Stored | undefined): OwnerCount {
  const counts = useCounts(field)
  if (!field) return 0
  return typeof counts === 'string' ? counts : counts.valueCount
}

/**
 * Warns how many people can't go on at their next sign-in before they fill in a field; for a new one that is everybody.
 */
export function LackingWarning({ of }: { of: Stored | undefined }) {
  const t = useTranslations('dynamic-fields')
  const counts = useCounts(of)
  const count = typeof counts === 'string' ? counts : counts.lackingCount
  if (of && !count) return null
  const words = typeof count === 'number' ? t('lacking.people', { count }) : t(`lacking.${count ?? 'unknown'}`)
  return (
    <Alert tone="warning" role="status">
      {of ? words : t('lacking.all')}
    </Alert>
  )
}

/** Says how many owners have a value. */
export function ValueCount({ type, count }: { type: FieldOwner; count: OwnerCount }) {
  const t = useTranslations('dynamic-fields')
  const owners = type === 'contractors' ? 'contractors' : 'people'
  return (
    <span role="status">
      {typeof count === 'number' ? t(`valueCount.${owners}`, { count }) : t(`valueCount.${count}`)}
    </span>
  )
}

/** The same for a question that opens before the values are counted. */
export const CountedValues = (of: Stored) => <ValueCount type={of.type} count={useValueCount(of)} />
