'use client'

import { type FormEvent, useRef, useState } from 'react'
import type { FieldError } from '@/lib/kernel/errors'
import type { Failure } from './failure'

/** A failure with a number, so that the same failure is announced again. */
export type Failed = { failure: Failure; count: number }

type Submission = {
  /** The step opens with the news that the time ran out. */
  expired?: boolean
  /** What is wrong before anything is sent, by the names of the form's fields. */
  check?: (data: FormData) => FieldError[]
  /** The form's own name for a field of the call, where that differs. */
  fieldOf?: (field: string) => string
  /** Makes the call. `done`: the step or the page is left, so the button stays pending. */
  send: (data: FormData) => Promise<'done' | Failure>
  onExpired?: () => void
}

/** Why it failed. Fetched with the first failure; offline it can't be, and then that is why. */
const sorted = async (error: unknown): Promise<Failure> => {
  const sort = await import('./failure').catch(() => null)
  return sort?.failureOf(error) ?? { kind: 'offline' }
}

/**
 * Sends a step's form, one request at a time, sorts its failure and shows field errors next to their fields. It uses no
 * form library, because a library would be larger than the sign-in page's own script.
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

  /** Removes the error of a field when the person starts to correct it. */
  const forget = (field: string) => setErrors(({ [field]: _, ...others }) => others)
  return { failed, errors, pending, submit, forget, reset }
}
