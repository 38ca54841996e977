'use client'

import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import {
  deleteBlacklistEntry,
  deleteWhitelistEntry,
  type Entry,
  enableBlacklistEntry,
  enableWhitelistEntry,
} from '@/lib/network/access-lists/contract'
import { EditEntry } from './entry-form'

type Props = { list: 'whitelist' | 'blacklist'; entry: Entry; name: string }

/** The actions for an entry of a list: edit, switch and delete it. */
export function EntryMenu({ list, entry, name }: Props) {
  const t = useTranslations(list as 'whitelist')
  const white = list === 'whitelist'
  const { id, enabled, updatedAt } = entry
  // the action that may exclude people is dangerous: removing an entry of the whitelist, adding one to the blacklist
  const [enableTone, disableTone] = white ? (['primary', 'danger'] as const) : (['danger', 'primary'] as const)
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('editTitle', { name }),
          text: t('dialogText'),
          form: (done) => <EditEntry list={list} record={entry} onDone={done} />,
        },
        {
          kind: 'toggle',
          contract: white ? enableWhitelistEntry : enableBlacklistEntry,
          id,
          enabled,
          updatedAt,
          ask: {
            on: { title: t('onTitle', { name }), text: t('onText'), tone: enableTone },
            off: { title: t('offTitle', { name }), text: t('offText'), tone: disableTone },
          },
        },
        {
          kind: 'remove',
          contract: white ? deleteWhitelistEntry : deleteBlacklistEntry,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
        },
      ]}
    />
  )
}
