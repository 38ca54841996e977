'use client'

import { KeyRound, RefreshCw, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { ActionButton } from '@/components/form/action-button'
import { type Action, sends } from '@/components/form/actions'
import { useLater } from '@/components/ui/use-later'

const load = () => import('./license-form').then(({ LicenseForm }) => LicenseForm)
const remove = () => import('@/lib/operations/license/contract').then((calls) => calls.deleteLicense)

function ReplaceLicense({ domain, onDone }: { domain: string; onDone: () => void }) {
  const { Part, ask } = useLater(load)
  // the dialog is already open; a second request for the part does nothing
  useEffect(() => ask())
  return Part ? <Part domain={domain} onDone={onDone} /> : null
}

const read = () => import('@/lib/operations/license/contract').then((calls) => calls.readLicenseInfo)

/** Reads the license and the number of sessions again. */
export function ReadLicense() {
  const t = useTranslations('license')
  return <ActionButton action={{ kind: 'call', label: t('read'), icon: RefreshCw, sends: sends(read, {}) }} />
}

/** Enters the first license. */
export function AddLicense() {
  const t = useTranslations('license')
  return <ActionButton action={dialogOf(t('add'), '')} />
}

const dialogOf = (label: string, domain: string): Action => ({
  kind: 'dialog',
  label,
  title: label,
  icon: KeyRound,
  body: (done) => <ReplaceLicense domain={domain} onDone={done} />,
})

/** Replaces or removes the license. */
export function LicenseActions({ owner, domain }: { owner: string; domain: string }) {
  const t = useTranslations('license')
  return (
    <CardActions
      name={t('title')}
      actions={[
        dialogOf(t('replace'), domain),
        {
          kind: 'confirm',
          label: t('remove'),
          icon: Trash2,
          tone: 'danger',
          ask: { title: t('removeTitle', { owner }), text: t('removeText'), tone: 'danger' },
          sends: sends(remove, {}),
        },
      ]}
    />
  )
}
