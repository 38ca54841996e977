'use client'

import { useTranslations } from 'next-intl'
import { StepTitle } from '../../../_ui/step-title'
import type { Offer } from './decline'

/** Who invites, and to which company. */
export function Head({ inviter, company }: Omit<Offer, 'id'>) {
  const t = useTranslations('invitation')
  return (
    <StepTitle moved={false} lead={inviter ? t('lead', { inviter, company }) : t('leadNobody', { company })}>
      {t('title')}
    </StepTitle>
  )
}
