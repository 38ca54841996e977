'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { buttonClasses } from '@/components/ui/button-classes'
import { Decline, type Offer } from './decline'
import { Head } from './head'

/** The invited e-mail has an account, so its owner must sign in first and then returns. */
export function SignInFirst({ children, ...offer }: Offer & { children: ReactNode }) {
  const t = useTranslations('invitation.existing')
  return (
    <div className="grid grid-cols-1 gap-6">
      <Head {...offer} />
      {children}
      <p>{t('text')}</p>
      <div className="grid gap-3">
        <a
          href={`/platform/login?path=${encodeURIComponent(`/platform/invitation/${offer.id}`)}`}
          className={buttonClasses({ size: 'L' })}
        >
          {t('signIn')}
        </a>
        <Decline {...offer} />
      </div>
    </div>
  )
}
