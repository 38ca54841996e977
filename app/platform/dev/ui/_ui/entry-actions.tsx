'use client'

import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import type { Action } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { enableBlacklistEntry, enableWhitelistEntry } from '@/lib/network/access-lists/contract'

export type Entry = {
  id: string
  list: 'whitelist' | 'blacklist'
  enabled: boolean
  named: string
  comment: string
  updatedAt: string
}

/** Switches an entry. It asks first, unless nobody is denied access by the change. */
function useToggle({ id, list, enabled, named, updatedAt }: Entry): Action {
  const t = useTranslations('gallery.toggles')
  const white = list === 'whitelist'
  const shared = { kind: 'toggle', id, enabled, updatedAt } as const
  if (white)
    return {
      ...shared,
      contract: enableWhitelistEntry,
      ask: { on: null, off: { title: t('whiteOffTitle', { named }), text: t('whiteOffText') } },
    }
  return {
    ...shared,
    contract: enableBlacklistEntry,
    ask: {
      on: { title: t('blackOnTitle', { named }), text: t('blackOnText'), tone: 'danger' },
      off: { title: t('blackOffTitle', { named }), text: t('blackOffText'), tone: 'primary' },
    },
  }
}

export function EntryMenu({ entry }: { entry: Entry }) {
  const t = useTranslations('gallery.toggles')
  const toggle = useToggle(entry)
  const { named, comment } = entry
  return (
    <RowActions row={named} actions={[{ kind: 'view', title: named, body: <p>{comment || t('none')}</p> }, toggle]} />
  )
}

export function EntryToggle({ entry }: { entry: Entry }) {
  return <ActionButton action={useToggle(entry)} />
}
