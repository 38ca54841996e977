'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { call } from '@/lib/kernel/http/client'
import { type FieldOwner, readDynamicField } from '@/lib/people/dynamic-fields/contract'

/** How many owners have a value: not read yet, or unknown after a failure. */
export type Counted = number | 'reading' | 'unknown'

/** Counts the values of a stored field, after the page: among a million owners it takes most of a second. */
export function useValueCount(of: { type: FieldOwner; id: string } | undefined): Counted {
  const [count, setCount] = useState<Counted>(of ? 'reading' : 0)
  const { type, id } = of ?? {}
  useEffect(() => {
    if (!type || !id) return
    const abort = new AbortController()
    call(readDynamicField, { params: { type, id } }, { signal: abort.signal }).then(
      ({ field }) => setCount(field.valueCount),
      () => abort.signal.aborted || setCount('unknown'),
    )
    return () => abort.abort()
  }, [type, id])
  return count
}

/**
 * Warns of how many people can't go on at their next sign-in before they fill in a field; of a new one that is
 * everybody.
 */
export function Lacking({ of }: { of: { type: FieldOwner; id: string } | undefined }) {
  const t = useTranslations('dynamic-fields')
  const [count, setCount] = useState<Counted | null>('reading')
  const { type, id } = of ?? {}
  useEffect(() => {
    if (!type || !id) return
    const abort = new AbortController()
    call(readDynamicField, { params: { type, id } }, { signal: abort.signal }).then(
      ({ field }) => setCount(field.lackingCount),
      () => abort.signal.aborted || setCount('unknown'),
    )
    return () => abort.abort()
  }, [type, id])
  if (of && (count === null || count === 0)) return null
  const words = of
    ? typeof count === 'number'
      ? t('lacking.people', { count })
      : t(`lacking.${count ?? 'unknown'}`)
    : t('lacking.all')
  return (
    <Alert tone="warning" role="status">
      {words}
    </Alert>
  )
}

/** Says how many owners have a value. */
export function ValueCount({ type, count }: { type: FieldOwner; count: Counted }) {
  const t = useTranslations('dynamic-fields')
  const owners = type === 'contractors' ? 'contractors' : 'people'
  return (
    <span role="status">
      {typeof count === 'number' ? t(`valueCount.${owners}`, { count }) : t(`valueCount.${count}`)}
    </span>
  )
}

/** The same for a question that opens before the values are counted. */
export const CountedValues = (of: { type: FieldOwner; id: string }) => (
  <ValueCount type={of.type} count={useValueCount(of)} />
)
