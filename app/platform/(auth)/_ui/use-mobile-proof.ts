'use client'

import { useRef, useState } from 'react'
import type { FieldError } from '@/lib/base/runtime/errors'
import { type Failure, failureOf } from './failure'

/** The times of a code, as calls return them (docs/rules/codes.md#a-code). */
type CodeTimes = { resendIn: number; endTime: string | null }
/** What the server already has: a proven mobile of this link, or a mobile to which a code was sent. */
export type KnownMobile = { mobile: string; verified: boolean; code: CodeTimes | null }

/** `endTime` as the server returned it. A new code has another one. */
type Sent = { mobile: string; resendAt: number; endTime: string | null; endsAt: number | null; again: boolean }

type Options = {
  /** Null: the form has no mobile. */
  field: { required: boolean } | null
  known: KnownMobile | null
  /** How many milliseconds this machine's clock is ahead of the server's. */
  ahead: number
  /** Requests a code; returns undefined if the person leaves the page. */
  send: (mobile: string) => Promise<CodeTimes | undefined>
  /** Enters a code; returns undefined if the person leaves the page. */
  verify: (mobile: string, code: string) => Promise<object | undefined>
}

const sentTo = (mobile: string, { resendIn, endTime }: CodeTimes, ahead: number, again: boolean): Sent => ({
  mobile,
  resendAt: Date.now() + resendIn * 1000,
  endTime,
  endsAt: endTime ? Date.parse(endTime) + ahead : null,
  again,
})

/** The state of proving a mobile by a code: the number, the sent code and the current step. For MobileProof. */
export function useMobileProof({ field, known, ahead, send, verify }: Options) {
  const [typed, setTyped] = useState('')
  const [sent, setSent] = useState<Sent | null>(() =>
    known?.code?.endTime && !known.verified ? sentTo(known.mobile, known.code, ahead, false) : null,
  )
  const [verified, setVerified] = useState(known?.verified ? known.mobile : null)
  const [pending, setPending] = useState<'send' | 'verify' | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const busy = useRef(false)

  const once = async (action: 'send' | 'verify', work: () => Promise<void>) => {
    if (busy.current) return
    busy.current = true
    setPending(action)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      busy.current = false
      setPending(null)
    }
  }
  const ask = (mobile: string) =>
    once('send', async () => {
      if (mobile === '') return setFailure({ kind: 'fields', errorList: [{ field: 'mobile', code: 'errorEmpty' }] })
      const answer = await send(mobile)
      // before the resend time no new code is sent, and the answer describes the previous code
      const isResent = sent?.mobile === mobile && (sent.endTime !== answer?.endTime || sent.again)
      if (answer) setSent(sentTo(mobile, answer, ahead, isResent))
    })
  const enter = (code: string) =>
    once('verify', async () => {
      if (!sent || !(await verify(sent.mobile, code))) return
      setVerified(sent.mobile)
    })
  /** Returns to the number. */
  const change = () => {
    setTyped('')
    setSent(null)
    setVerified(null)
    setFailure(null)
  }
  const check = (): FieldError[] => {
    if (!field || verified) return []
    if (sent || typed !== '') return [{ field: 'mobile', code: 'errorMobileUnverified' }]
    return field.required ? [{ field: 'mobile', code: 'errorEmpty' }] : []
  }
  return {
    field,
    typed,
    setTyped,
    sent,
    verified,
    pending,
    failure,
    forget: () => setFailure(null),
    ask,
    enter,
    change,
    check,
  }
}
