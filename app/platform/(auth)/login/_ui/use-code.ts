'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import type { authCode, CodeFlow, IdAttribute } from '@/lib/entry/sign-in/contract'
import { authPaths } from '@/lib/entry/sign-in/paths'
import { call } from '@/lib/kernel/http/client'
import { type Failure, failureOf } from '../../_ui/failure'
import type { CodeState } from './view'

type Sent = {
  /** The end as the server returned it: a new code has another. */
  endTime: string | null
  /** When a new code may be asked for, in milliseconds of the epoch. */
  resendAt: number
  /** When the code stops working, by this machine's clock; null when this attempt has no live code. */
  endsAt: number | null
}

/** Many clocks are wrong by minutes: the server's end time is shifted to this one, or a live code would look dead. */
const sentFrom = ({ resendIn, endTime }: CodeState, ahead: number): Sent => ({
  resendAt: Date.now() + resendIn * 1000,
  endTime,
  endsAt: endTime ? Date.parse(endTime) + ahead : null,
})

type Options = {
  idAttribute: IdAttribute
  identifier: string
  flow: CodeFlow
  known: CodeState | null
  /** By how much this machine's clock is ahead of the server's, in milliseconds. */
  ahead: number
}

/**
 * The code of this step: asked for when the step opens, unless the server knows of one already; `ask` asks again,
 * and `again` counts how often that sent one. One request at a time; what failed is told in `failure`.
 */
export function useCode({ idAttribute, identifier, flow, known, ahead }: Options) {
  const [sent, setSent] = useState<Sent | null>(() => (known?.endTime ? sentFrom(known, ahead) : null))
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asking, setAsking] = useState(sent === null)
  const [again, setAgain] = useState(0)
  const busy = useRef(false)

  const request = useCallback(async () => {
    if (busy.current) return null
    busy.current = true
    setAsking(true)
    setFailure(null)
    try {
      const body = { flow, [idAttribute]: identifier }
      const answer = await call<typeof authCode>(authPaths.code, { params: { idAttribute }, body })
      setSent(sentFrom(answer, ahead))
      return answer.endTime
    } catch (error) {
      setFailure(failureOf(error))
      return null
    } finally {
      busy.current = false
      setAsking(false)
    }
  }, [flow, idAttribute, identifier, ahead])

  const first = useRef(sent === null)
  useEffect(() => {
    if (!first.current) return
    first.current = false
    void request()
  }, [request])

  const ask = async () => {
    const before = sent?.endTime
    const endTime = await request()
    if (endTime && endTime !== before) setAgain((count) => count + 1)
  }
  return { sent, failure, asking, again, ask }
}
