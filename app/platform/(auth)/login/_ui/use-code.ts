'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import type { authCode, CodeFlow, IdAttribute } from '@/lib/entry/sign-in/contract'
import { authPaths } from '@/lib/entry/sign-in/paths'
import { call } from '@/lib/kernel/http/client'
import { type Failure, failureOf } from './failure'
import type { CodeState } from './view'

type Sent = {
  /** When a new code may be asked for, in milliseconds of the epoch. */
  resendAt: number
  /** When the code stops working; null when this attempt has no live code. */
  endsAt: number | null
}

const sentFrom = ({ resendIn, endTime }: CodeState): Sent => ({
  resendAt: Date.now() + resendIn * 1000,
  endsAt: endTime ? Date.parse(endTime) : null,
})

type Options = { idAttribute: IdAttribute; identifier: string; flow: CodeFlow; known: CodeState | null }

/**
 * The code of this step: asked for when the step opens, unless the server knows of one already; `ask` asks again.
 * One request at a time; what failed is told in `failure`.
 */
export function useCode({ idAttribute, identifier, flow, known }: Options) {
  const [sent, setSent] = useState<Sent | null>(() => (known?.endTime ? sentFrom(known) : null))
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asking, setAsking] = useState(false)
  const busy = useRef(false)

  const ask = useCallback(async () => {
    if (busy.current) return false
    busy.current = true
    setAsking(true)
    setFailure(null)
    try {
      const body = { flow, [idAttribute]: identifier }
      setSent(sentFrom(await call<typeof authCode>(authPaths.code, { params: { idAttribute }, body })))
      return true
    } catch (error) {
      setFailure(failureOf(error))
      return false
    } finally {
      busy.current = false
      setAsking(false)
    }
  }, [flow, idAttribute, identifier])

  const first = useRef(sent === null)
  useEffect(() => {
    if (!first.current) return
    first.current = false
    void ask()
  }, [ask])

  return { sent, failure, asking, ask }
}
