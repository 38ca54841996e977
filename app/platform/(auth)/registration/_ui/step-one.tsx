'use client'

import { useState } from 'react'
import { call } from '@/lib/base/http/client'
import type { NameField } from '@/lib/fields/profile-fields/person-form'
import type { registrationLink } from '@/lib/joining/registration/contract'
import { registrationPaths } from '@/lib/joining/registration/paths'
import { type Term, useTerms } from '../../_ui/use-terms'
import { LinkSent } from './link-sent'
import { refusalOf } from './refusal'
import { RequestForm, type Typed } from './request-form'

type Props = {
  names: NameField[]
  terms: Term[]
  /** For how many seconds the link is valid. */
  alive: number
}

/** `again`: another mail was sent to the same e-mail; `count` differs for each. */
type Sent = { resendAt: number; again: boolean; count: number }

/** The first step: its form, then where the link was sent and what to do if it doesn't arrive. */
export function StepOne({ names, terms: list, alive }: Props) {
  const terms = useTerms(list)
  const [typed, setTyped] = useState<Typed>({ email: '' })
  const [sent, setSent] = useState<Sent | null>(null)
  const [moved, setMoved] = useState(false)

  const request = async (values: Typed, again: boolean) => {
    setTyped(values)
    try {
      const { resendIn } = await call<typeof registrationLink>(registrationPaths.link, {
        body: { ...values, termsAgree: terms.answers() },
      })
      setSent((before) => ({ resendAt: Date.now() + resendIn * 1000, again, count: (before?.count ?? 0) + 1 }))
      return 'done' as const
    } catch (error) {
      return refusalOf(error, terms.renew)
    }
  }
  if (sent)
    return (
      <LinkSent
        // each mail is announced
        key={sent.count}
        email={typed.email}
        again={sent.again}
        resendAt={sent.resendAt}
        alive={alive}
        onResend={() => request(typed, true)}
        onChange={() => {
          setSent(null)
          setMoved(true)
        }}
      />
    )
  return (
    <RequestForm
      names={names}
      terms={terms}
      typed={typed}
      moved={moved}
      onRequest={(values) => request(values, false)}
    />
  )
}
