'use client'

import { Pencil, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import type { Needs } from './factor-forms'
import { RemovePasskey, RenamePasskey } from './passkey-forms'

type Props = { id: string; name: string; needs: Needs | null; digits: number }

/** The actions on a passkey. Without `needs` the person has to sign in again to remove it. */
export function PasskeyMenu({ id, name, needs, digits }: Props) {
  const t = useTranslations('account.passkeys')
  const tFactors = useTranslations('account.factors')
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
          body: (done) => <RemovePasskey id={id} needs={needs ?? []} digits={digits} onDone={done} />,
          ...(needs ? {} : { unavailable: tFactors('signInAgain') }),
        },
      ]}
    />
  )
}
