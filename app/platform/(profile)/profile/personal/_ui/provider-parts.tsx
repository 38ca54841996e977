'use client'

import { Link2, Link2Off } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const calls = () => import('@/lib/directory-sync/provider-sign-in/contract')

/** Opens the identity provider, where the person signs in to the account to link. */
export function LinkProvider({ id, name }: { id: string; name: string }) {
  const t = useTranslations('provider-sign-in')
  const onDone = ({ leads }: { leads: string }) => window.location.assign(leads)
  const link = sends(() => calls().then((contracts) => contracts.linkOwnProvider), { params: { id } }, { onDone })
  return (
    <ActionButton
      name={`${t('link')}: ${name}`}
      action={{ kind: 'call', label: t('link'), icon: Link2, sends: link }}
    />
  )
}

/** Unlinks the account, after a question. */
export function UnlinkProvider({ id, name }: { id: string; name: string }) {
  const t = useTranslations('provider-sign-in')
  return (
    <ActionButton
      name={`${t('unlink')}: ${name}`}
      action={{
        kind: 'confirm',
        label: t('unlink'),
        icon: Link2Off,
        tone: 'danger',
        ask: { title: t('unlinkTitle', { name }), text: t('unlinkText'), tone: 'danger' },
        sends: sends(() => calls().then((contracts) => contracts.unlinkOwnProvider), { params: { id } }),
      }}
    />
  )
}
