'use client'

import { Eye, EyeOff, ListTree, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { activateFieldTab } from '@/lib/fields/dynamic-fields/contract'
import { deleteFieldTab } from '@/lib/fields/field-tabs/contract'
import { useKnownFields } from './known'
import { tabPath } from './paths'
import { type EditedTab, EditTab } from './tab-form'

type Tab = EditedTab & { active: boolean; systemic: boolean; blocks: number }

/** The actions for a tab; one with shipped fields stays. */
export function TabMenu({ tab, name, shipped }: { tab: Tab; name: string; shipped: boolean }) {
  const t = useTranslations('dynamic-fields')
  const { type } = useKnownFields()
  const { id, active, updatedAt } = tab
  const params = { type, tab: id }
  const unavailableReason = tab.systemic ? t('whyShipped') : tab.blocks > 0 ? t('whyUsedTab') : undefined
  return (
    <RowActions
      row={name}
      actions={[
        { kind: 'link', label: t('openTab'), icon: ListTree, href: tabPath(type, id) },
        { kind: 'edit', title: t('tabTitle', { name }), form: (done) => <EditTab tab={tab} onDone={done} /> },
        {
          kind: 'confirm',
          label: t(active ? 'hide' : 'show'),
          icon: active ? EyeOff : Eye,
          ...(active && shipped ? { unavailable: t('whyShippedTab') } : {}),
          ask: active
            ? { title: t('hideTabTitle', { name }), text: t('hideTabText'), tone: 'danger' }
            : { title: t('showTabTitle', { name }), text: t('showTabText'), tone: 'primary' },
          sends: sends(activateFieldTab, { params, body: { active: !active, updatedAt } }),
        },
        {
          kind: 'confirm',
          label: t('delete'),
          icon: Trash2,
          tone: 'danger',
          ...(unavailableReason ? { unavailable: unavailableReason } : {}),
          ask: { title: t('deleteTabTitle', { name }), text: t('deleteTabText'), tone: 'danger' },
          sends: sends(deleteFieldTab, { params }),
        },
      ]}
    />
  )
}
