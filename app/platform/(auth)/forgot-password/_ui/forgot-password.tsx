'use client'

import { useState } from 'react'
import { AskForLink } from './ask-for-link'
import { LinkSent, type Sent } from './link-sent'

/**
 * The form for the e-mail, then what happens next. Then people can return to the form, or request another mail to the
 * same address. `typed` is the e-mail of the sign-in in this browser.
 */
export function ForgotPassword({ typed }: { typed: string }) {
  const [sent, setSent] = useState<Sent | null>(null)
  const [email, setEmail] = useState(typed)
  const [moved, setMoved] = useState(false)
  const took = (address: string, resendIn: number) => {
    setEmail(address)
    setSent({ email: address, resendAt: Date.now() + resendIn * 1000, count: (sent?.count ?? 0) + 1 })
  }
  const backToForm = () => {
    setMoved(true)
    setSent(null)
  }
  // a new key for each mail resets its form and its countdown
  return sent ? (
    <LinkSent key={sent.count} sent={sent} onSent={took} onOther={backToForm} />
  ) : (
    <AskForLink email={email} moved={moved} onSent={took} />
  )
}
