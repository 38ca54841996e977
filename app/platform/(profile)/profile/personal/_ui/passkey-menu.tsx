'use client'

import { Pencil, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { RemovePasskey, RenamePasskey } from './passkey-forms'

/** The actions on a passkey. */
export function PasskeyMenu({ id, name }: { id: string; name: string }) {
  const t = useTranslations('account.passkeys')
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'dialog',
          label: t('rename'),
          icon: Pencil,
          title: t('renameTitle'),
          size: 'S',
          body: (done) => <RenamePasskey id={id} name={name} onDone={done} />,
        },
        {
          kind: 'dialog',
          label: t('remove'),
          icon: Trash2,
          tone: 'danger',
          title: t('removeTitle', { name }),
          text: t('removeText'),
          size: 'S',
          body: (done) => <RemovePasskey id={id} onDone={done} />,
        },
      ]}
    />
  )
}
