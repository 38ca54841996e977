'use client'

import { FileSearch } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { DialogBody } from '@/components/ui/dialog'
import { LiveSync } from './sync-parts'

/** The action for a run: to look at it. */
export function RunRowMenu({ id, date, path }: { id: string; date: string; path: string }) {
  const t = useTranslations('provider-sync')
  const format = useFormatter()
  const when = format.dateTime(new Date(date), { dateStyle: 'long', timeStyle: 'short' })
  return (
    <RowActions
      row={when}
      actions={[
        {
          kind: 'dialog',
          label: t('open'),
          icon: FileSearch,
          size: 'L',
          title: t('runOf', { date: when }),
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
