'use client'

import { useState } from 'react'
import { Button } from '../ui/button'
import { keepChoice } from './browser-cookie'

type Props = {
  label: string
  text: string
  accept: string
  /** The analytics counter, which begins at the consent; null without one. */
  metrics: string | null
  /** Somebody is signed in: the consent is theirs in every browser (docs/rules/texts-and-look.md#cookie-notice). */
  signedIn: boolean
}

/** The notice about cookies, until the person agrees. It is in the flow of the page, so it can't hide the focus. */
export function CookieNotice({ label, text, accept, metrics, signedIn }: Props) {
  const [accepted, setAccepted] = useState(false)
  if (accepted) return null
  const agree = () => {
    keepChoice('cookieConsent', '1')
    setAccepted(true)
    if (signedIn) void import('./keep-consent').then(({ keepConsent }) => keepConsent()).catch(() => undefined)
    if (metrics) document.head.append(Object.assign(document.createElement('script'), { src: metrics }))
    // the button is removed with the notice: the focus moves to the beginning of the page
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <section
      aria-label={label}
      className="pointer-events-none sticky bottom-0 z-30 p-3 [grid-area:cookie] sm:p-4 md:px-12 md:pb-8 print:hidden"
    >
      <div className="pointer-events-auto mx-auto flex max-w-2xl flex-col gap-3 rounded-card border border-line bg-surface p-4 text-table shadow-float max-sm:xs:flex-row max-sm:xs:items-center md:flex-row md:items-center md:gap-6">
        <p className="grow">{text}</p>
        <Button variant="secondary" onClick={agree} className="shrink-0">
          {accept}
        </Button>
      </div>
    </section>
  )
}
