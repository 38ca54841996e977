'use client'

import { useTranslations } from 'next-intl'
import { buttonClasses } from '@/components/ui/button-classes'
import type { Needs } from '../../personal/_ui/factor-forms'
import { AddPasskey } from '../../personal/_ui/passkey-parts'

/** Adds a passkey and goes on, or goes on without one. */
export function PasskeyOffer({ needs, digits, next }: { needs: Needs; digits: number; next: string }) {
  const t = useTranslations('account.passkeys')
  return (
    <div className="flex flex-wrap gap-3">
      <AddPasskey needs={needs} digits={digits} isOffer onDone={() => window.location.assign(next)} />
      {/* it may lead to an application */}
      <a href={next} className={buttonClasses({ variant: 'secondary' })}>
        {t('notNow')}
      </a>
    </div>
  )
}
