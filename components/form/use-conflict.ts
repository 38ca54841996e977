'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type { CallError } from '@/lib/base/http/client'
import type { Conflict, Deletion } from '@/lib/base/runtime/errors'
import { compare, type Difference, isSameValue, merged, type Side, type Values } from './conflict'
import { valueAt, withValueAt } from './locale-rows'

type OpenConflict = Pick<Conflict, 'at' | 'by'> & {
  differences: Difference[]
  chosen: Partial<Record<string, Side>>
  /** Raised by each new conflict, and by saving while a choice is missing; then the panel takes the focus. */
  count: number
  missing: boolean
  /** Whether the stored values are those of the form. */
  same: boolean
}

/** What happened to the object while its form was open, for the panel. */
export type ConcurrentChange = {
  met: OpenConflict | null
  /** Another person deleted it. `by` and `at` are set if the history has them. */
  gone: Partial<Deletion> | null
  choose: (names: readonly string[], side: Side) => void
  /** The values of the form, by field. */
  typed: () => Values
}

function put<V extends FieldValues>(form: UseFormReturn<V>, name: string, value: unknown) {
  const whole = withValueAt(form.getValues(), name, value)
  form.setValue(whole.field as Path<V>, whole.value as never, { shouldDirty: true, shouldTouch: true })
}

/**
 * Keeps the values of the form when another person saved or deleted the object, and lets the person choose for each
 * field. `take` returns whether a failure was a conflict. `ready` returns whether the form may be saved, and shows what
 * is missing.
 */
export function useConflict<V extends FieldValues>(form: UseFormReturn<V>) {
  const router = useRouter()
  const [met, setMet] = useState<OpenConflict | null>(null)
  const [gone, setGone] = useState<ConcurrentChange['gone']>(null)
  // only when the form is closed: refreshing the page could remove the row, and the form with it
  const stale = useRef(false)
  useEffect(
    () => () => {
      if (stale.current) router.refresh()
    },
    [router],
  )
  const dismiss = useCallback(() => setMet(null), [])
  const meet = (conflict: Conflict) => {
    const base = (form.formState.defaultValues ?? {}) as Values
    const formValues: Values = structuredClone(form.getValues())
    const comparison = compare(base, formValues, conflict)
    const next = { ...merged(formValues, comparison), updatedAt: conflict.updatedAt }
    // later changes are compared with the values that are stored now
    const stored = { ...base, ...comparison.theirs, updatedAt: conflict.updatedAt }
    form.reset(stored as never)
    // one reset, because the lists of rows don't notice single values that are set before they are rendered again
    form.reset(next as never, { keepDefaultValues: true })
    const chosen: OpenConflict['chosen'] = Object.fromEntries(
      comparison.differences.flatMap(({ name, both }) => (both ? [] : [[name, 'theirs' as const]])),
    )
    const { at, by } = conflict
    setMet((before) => ({
      at,
      by,
      differences: comparison.differences,
      chosen,
      count: (before?.count ?? 0) + 1,
      missing: false,
      same: isSameValue(next, stored),
    }))
  }
  const meanwhile = useMemo<ConcurrentChange>(() => {
    const choose = (names: readonly string[], side: Side) => {
      if (!met) return
      // what was typed after the last choice is the person's own value too
      const differences = met.differences.map((difference) =>
        names.includes(difference.name) && met.chosen[difference.name] !== 'theirs'
          ? { ...difference, mine: structuredClone(valueAt(form.getValues(), difference.name)) }
          : difference,
      )
      for (const difference of differences)
        if (names.includes(difference.name)) put(form, difference.name, structuredClone(difference[side]))
      setMet({
        ...met,
        differences,
        missing: false,
        chosen: { ...met.chosen, ...Object.fromEntries(names.map((name) => [name, side])) },
      })
    }
    return { met, gone, choose, typed: () => form.getValues() }
  }, [form, met, gone])
  return {
    meanwhile,
    take({ status, data }: CallError): boolean {
      if (data.conflict) meet(data.conflict)
      else if (status === 404) setGone(data.deleted ?? {})
      stale.current ||= status === 404 || status === 409
      return Boolean(data.conflict) || status === 404
    },
    ready(): boolean {
      if (!met || met.differences.every(({ name }) => met.chosen[name])) return true
      setMet({ ...met, missing: true, count: met.count + 1 })
      return false
    },
    /** Called after a save. */
    settle() {
      stale.current = false
      setMet(null)
      setGone(null)
    },
    /** Called when the person discards what they typed: the form has the stored values then. */
    dismiss,
  }
}
