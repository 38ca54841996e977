'use client'

import { FileSearch } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { DialogBody } from '@/components/ui/dialog'
import { LiveSync } from './sync-parts'

type Props = { id: string; name: string; path: string }

/** The action for a batch job: show it. `name` is its beginning. */
export function RunMenu({ id, name, path }: Props) {
  const t = useTranslations('provider-sync')
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'dialog',
          label: t('open'),
          icon: FileSearch,
          size: 'L',
          title: t('runOf', { date: name }),
          body: () => (
            <DialogBody>
              <LiveSync id={id} mayWrite={false} path={path} />
            </DialogBody>
          ),
        },
      ]}
    />
  )
}
