'use client'

import { useState } from 'react'
import { AskForLink } from './ask-for-link'
import { LinkSent, type Sent } from './link-sent'

/** The e-mail, then what happens next; from there back to the form, or once more to the same address. */
export function ForgotPassword() {
  const [sent, setSent] = useState<Sent | null>(null)
  const [email, setEmail] = useState('')
  const [moved, setMoved] = useState(false)
  const took = (address: string, resendIn: number) => {
    setEmail(address)
    setSent({ email: address, resendAt: Date.now() + resendIn * 1000, count: (sent?.count ?? 0) + 1 })
  }
  const other = () => {
    setMoved(true)
    setSent(null)
  }
  // a new key for each letter: its form and its countdown begin afresh
  return sent ? (
    <LinkSent key={sent.count} sent={sent} onSent={took} onOther={other} />
  ) : (
    <AskForLink email={email} moved={moved} onSent={took} />
  )
}
