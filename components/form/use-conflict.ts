'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import type { CallError } from '@/lib/base/http/client'
import type { Conflict, Deletion } from '@/lib/base/runtime/errors'
import { compare, type Difference, isSameValue, merged, type Side, type Values } from './conflict'
import { valueAt, withValueAt } from './locale-rows'

type Met = Pick<Conflict, 'at' | 'by'> & {
  differences: Difference[]
  chosen: Partial<Record<string, Side>>
  /** Raised by each new conflict, and by saving while a choice is missing; then the panel takes the focus. */
  count: number
  missing: boolean
  /** Whether what is stored is what the form has. */
  same: boolean
}

/** What happened to the object while its form was open, for the panel. */
export type Meanwhile = {
  met: Met | null
  /** Somebody deleted it. `by` and `at` are set if the history has them. */
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
 * Keeps the values of the form when somebody else saved or deleted the object meanwhile, and lets the person choose for
 * each field. `take` returns whether a failure was a conflict. `ready` returns whether the form may be saved, and shows
 * what is missing.
 */
export function useConflict<V extends FieldValues>(form: UseFormReturn<V>) {
  const router = useRouter()
  const [met, setMet] = useState<Met | null>(null)
  const [gone, setGone] = useState<Meanwhile['gone']>(null)
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
    const mine: Values = structuredClone(form.getValues())
    const found = compare(base, mine, conflict)
    const next = { ...merged(mine, found), updatedAt: conflict.updatedAt }
    // later changes are compared with what is stored now
    const stored = { ...base, ...found.theirs, updatedAt: conflict.updatedAt }
    form.reset(stored as never)
    // not value by value: after a reset the lists of rows don't hear of those until they are rendered
    form.reset(next as never, { keepDefaultValues: true })
    const chosen: Met['chosen'] = Object.fromEntries(
      found.differences.flatMap(({ name, both }) => (both ? [] : [[name, 'theirs' as const]])),
    )
    const { at, by } = conflict
    setMet((before) => ({
      at,
      by,
      differences: found.differences,
      chosen,
      count: (before?.count ?? 0) + 1,
      missing: false,
      same: isSameValue(next, stored),
    }))
  }
  const meanwhile = useMemo<Meanwhile>(() => {
    const choose = (names: readonly string[], side: Side) => {
      if (!met) return
      // what was typed after the last choice is the person's own too
      const differences = met.differences.map((one) =>
        names.includes(one.name) && met.chosen[one.name] !== 'theirs'
          ? { ...one, mine: structuredClone(valueAt(form.getValues(), one.name)) }
          : one,
      )
      for (const one of differences) if (names.includes(one.name)) put(form, one.name, structuredClone(one[side]))
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
    /** Called when the person takes back what they typed: the form has the stored values then. */
    dismiss,
  }
}
