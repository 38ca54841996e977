'use client'

import { RefreshCw, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { type Needs, RemoveApp, RenewCodes } from './factor-forms'

type Props = { needs: Needs; onCodes: (recoveryCodes: string[]) => void }

/** The actions on an authenticator app. New recovery codes are shown when the dialog has closed. */
export function FactorMenu({ needs, onCodes }: Props) {
  const t = useTranslations('account.factors')
  const shows = (done: () => void) => (codes: string[]) => {
    done()
    onCodes(codes)
  }
  return (
    <RowActions
      row={t('app')}
      actions={[
        {
          kind: 'dialog',
          label: t('renew'),
          icon: RefreshCw,
          title: t('renew'),
          text: t('renewText'),
          size: 'S',
          body: (done) => <RenewCodes needs={needs} onDone={shows(done)} />,
        },
        {
          kind: 'dialog',
          label: t('remove'),
          icon: Trash2,
          tone: 'danger',
          title: t('remove'),
          text: t('removeText'),
          size: 'S',
          body: (done) => <RemoveApp needs={needs} onDone={done} />,
        },
      ]}
    />
  )
}
