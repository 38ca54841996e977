'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button'
import { keepChoice } from './browser-cookie'

type Props = {
  label: string
  text: string
  accept: string
  /** The look of the notice, of the box in it, and of the box's content. */
  looks: Record<'notice' | 'box' | 'text' | 'button', string>
  /** The analytics counter, if the domain has one; it starts after the consent. */
  counter?: ReactNode
  /**
   * Whether somebody is signed in: then the consent counts in all their browsers
   * (docs/rules/texts-and-look.md#cookie-notice).
   */
  signedIn: boolean
}

/** The notice about cookies as the person agrees to it. */
export function CookieConsent({ label, text, accept, looks, counter, signedIn }: Props) {
  const [accepted, setAccepted] = useState(false)
  const agree = () => {
    keepChoice('cookieConsent', '1')
    setAccepted(true)
    if (signedIn) import('./keep-consent').then(({ keepConsent }) => keepConsent()).catch(() => undefined)
    // the button disappears with the notice, so the focus moves to the beginning of the page
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <>
      <section
        aria-label={label}
        data-cookie-notice={accepted ? undefined : ''}
        className={accepted ? `${looks.notice} invisible` : looks.notice}
      >
        <div className={looks.box}>
          <p className={looks.text}>{text}</p>
          <Button variant="secondary" onClick={agree} className={looks.button}>
            {accept}
          </Button>
        </div>
      </section>
      {accepted ? counter : null}
    </>
  )
}
