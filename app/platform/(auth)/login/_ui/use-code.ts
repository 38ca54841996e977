'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '@/lib/base/http/client'
import type { authCode, CodeFlow, IdAttribute } from '@/lib/sign-in/attempts/contract'
import { authPaths } from '@/lib/sign-in/attempts/paths'
import { type Failure, failureOf } from '../../_ui/failure'
import type { CodeState } from './view'

type Sent = {
  /** The end of the code as the server returned it. A new code has another one. */
  endTime: string | null
  /** When the person may request a new code, in milliseconds since the epoch. */
  resendAt: number
  /** When the code expires, by this machine's clock; null if this attempt has no valid code. */
  endsAt: number | null
}

/**
 * Converts the server's end time to this machine's clock: many clocks are minutes off, and a valid code would look
 * expired.
 */
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
  /** How many milliseconds this machine's clock is ahead of the server's. */
  ahead: number
}

/**
 * The code of this step. It is requested when the step opens, unless the server has sent one already. `ask` requests
 * another, `again` counts the codes sent that way, and `failure` is the last error. One request runs at a time.
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
