'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { keepChoice } from './browser-cookie'

type Props = {
  label: string
  text: string
  accept: string
  /** The analytics counter, which starts after the consent, where there is one. */
  counter?: ReactNode
  /**
   * Whether somebody is signed in: then the consent counts in all their browsers
   * (docs/rules/texts-and-look.md#cookie-notice).
   */
  signedIn: boolean
}

/**
 * The notice about cookies, until the person agrees. It is at the end of the page, and sticks to the bottom of large
 * windows, so that the page can scroll clear of it. Its place stays empty when it disappears, so that nothing moves.
 */
export function CookieNotice({ label, text, accept, counter, signedIn }: Props) {
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
        className={cn(
          'pointer-events-none bottom-0 z-30 [grid-area:cookie] sm:px-6 sm:pt-4 sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-12 md:pb-8 tall:sticky print:hidden',
          accepted && 'invisible',
        )}
      >
        {/* on a phone it is a strip at the edge: as a card it would lie on the card of a banner */}
        <div className="pointer-events-auto mx-auto flex items-center gap-3 border-line border-t bg-surface px-4 py-3 text-note shadow-float max-sm:flex-wrap max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] xs:px-6 sm:max-w-2xl sm:flex-col sm:items-stretch sm:rounded-card sm:border sm:p-4 sm:text-table md:flex-row md:items-center md:gap-6">
          <p className="min-w-0 grow max-sm:basis-40">{text}</p>
          <Button variant="secondary" onClick={agree} className="shrink-0">
            {accept}
          </Button>
        </div>
      </section>
      {accepted ? counter : null}
    </>
  )
}
