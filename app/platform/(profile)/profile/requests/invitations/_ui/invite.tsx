'use client'

import { useTranslations } from 'next-intl'
import { CreateButton } from '@/components/form/create-button'

const form = () => import('./invite-form').then((part) => part.InviteForm)

/** The button that invites one person, with its dialog. */
export function Invite() {
  const t = useTranslations('invitations')
  return <CreateButton label={t('invite')} title={t('inviteTitle')} text={t('inviteText')} form={form} />
}
