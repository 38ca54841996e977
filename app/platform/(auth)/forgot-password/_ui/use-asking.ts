'use client'

import { useState } from 'react'
import { CallError, call } from '@/lib/base/http/client'
import type { FieldError } from '@/lib/base/runtime/errors'
import type { passwordLink } from '@/lib/sign-in/passwords/contract'
import { passwordPaths } from '@/lib/sign-in/passwords/paths'
import { useSubmission } from '../../_ui/use-submission'

type Asking = {
  emailOf: (data: FormData) => string
  check?: (data: FormData) => FieldError[]
  /** `resendIn`: seconds until the person may request another. */
  onSent: (email: string, resendIn: number) => void
}

/** Requests a link by a form. `until`: when links are sent again after the daily limit was reached. */
export function useAsking({ emailOf, check, onSent }: Asking) {
  const [until, setUntil] = useState<number | null>(null)
  const submission = useSubmission({
    ...(check ? { check } : {}),
    send: async (data) => {
      const email = emailOf(data)
      try {
        const { resendIn } = await call<typeof passwordLink>(passwordPaths.link, { body: { email } })
        onSent(email, resendIn)
        return 'done'
      } catch (error) {
        // a countdown of a day is useless: the page names the hour
        if (!(error instanceof CallError) || error.code !== 'recoveryDailyLimit') throw error
        setUntil(error.retryAfter ? Date.now() + error.retryAfter * 1000 : null)
        return { kind: 'refused', code: error.code }
      }
    },
  })
  return { ...submission, until }
}
