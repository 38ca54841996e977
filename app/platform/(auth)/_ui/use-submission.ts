'use client'

import { type FormEvent, useRef, useState } from 'react'
import type { FieldError } from '@/lib/base/runtime/errors'
import type { Failure } from './failure'

/** A failure with a number, so that a repeated failure is announced again. */
export type Failed = { failure: Failure; count: number }

type Submission = {
  /** The step opens with the message that the time ran out. */
  expired?: boolean
  /** Returns the errors that the browser finds, by the names of the form's fields. */
  check?: (data: FormData) => FieldError[]
  /** The form's name of a call's field, if it differs. */
  fieldOf?: (field: string) => string
  /** Makes the call. If it returns `done`, the person leaves the step or page, so the button stays pending. */
  send: (data: FormData) => Promise<'done' | Failure>
  onExpired?: () => void
}

/**
 * Sorts a failure. The code for it is loaded with the first failure; offline it can't be, and then the failure is that
 * the person is offline.
 */
const sorted = async (error: unknown): Promise<Failure> => {
  const sort = await import('./failure').catch(() => null)
  return sort?.failureOf(error) ?? { kind: 'offline' }
}

/**
 * Returns a failure without the faults of the field that a person corrects, so that the summary names the remaining
 * ones; null if none remain. `isOf` returns whether a fault's field is that field.
 */
export function mended(failed: Failed | null, isOf: (field: string) => boolean): Failed | null {
  if (!failed || !('errorList' in failed.failure)) return failed
  const { errorList } = failed.failure
  const remaining = errorList.filter(({ field }) => !isOf(field))
  if (remaining.length === errorList.length) return failed
  return remaining.length > 0 ? { ...failed, failure: { ...failed.failure, errorList: remaining } } : null
}

/**
 * Submits the form of a step, one request at a time, sorts its failure and shows field errors next to their fields. A
 * form library would be larger than the sign-in page's script, so it uses none.
 */
export function useSubmission({ expired, check, fieldOf = (field) => field, send, onExpired }: Submission) {
  const [failed, setFailed] = useState<Failed | null>(expired ? { failure: { kind: 'expired' }, count: 0 } : null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [pending, setPending] = useState(false)
  const busy = useRef(false)

  const fail = (failure: Failure) => {
    const list = failure.kind === 'form' || failure.kind === 'fields' ? failure.errorList : []
    setErrors(Object.fromEntries(list.map(({ field, code }) => [fieldOf(field), code])))
    setFailed((before) => ({ failure, count: (before?.count ?? 0) + 1 }))
  }
  const reset = () => {
    setFailed(null)
    setErrors({})
  }

  const submit = async (sent: FormEvent<HTMLFormElement>) => {
    sent.preventDefault()
    if (busy.current) return
    const data = new FormData(sent.currentTarget)
    const errorList = check?.(data) ?? []
    if (errorList.length > 0) return fail({ kind: 'fields', errorList })
    busy.current = true
    reset()
    setPending(true)
    const outcome = await send(data).catch(sorted)
    if (outcome === 'done') return
    busy.current = false
    setPending(false)
    if (outcome.kind === 'expired' && onExpired) onExpired()
    else fail(outcome)
  }

  /** Removes the error of a field, there and in the summary, when the person starts to correct it. */
  const forget = (field: string) => {
    setErrors(({ [field]: _, ...others }) => others)
    setFailed((before) => mended(before, (name) => fieldOf(name) === field))
  }
  return { failed, errors, pending, submit, forget, reset }
}
