'use client'

import { Eye, EyeOff, ListTree } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { activateFieldTab, type FieldOwner } from '@/lib/people/dynamic-fields/contract'
import { tabPath } from './paths'

type Tab = { id: string; type: FieldOwner; active: boolean; updatedAt: string }

/** The actions for a tab; one with shipped fields stays. */
export function TabMenu({ tab, name, shipped }: { tab: Tab; name: string; shipped: boolean }) {
  const t = useTranslations('dynamic-fields')
  const { id, type, active, updatedAt } = tab
  return (
    <RowActions
      row={name}
      actions={[
        { kind: 'link', label: t('openTab'), icon: ListTree, href: tabPath(type, id) },
        {
          kind: 'confirm',
          label: t(active ? 'hide' : 'show'),
          icon: active ? EyeOff : Eye,
          ...(active && shipped ? { unavailable: t('whyShippedTab') } : {}),
          ask: active
            ? { title: t('hideTabTitle', { name }), text: t('hideTabText'), tone: 'danger' }
            : { title: t('showTabTitle', { name }), text: t('showTabText'), tone: 'primary' },
          sends: sends(activateFieldTab, { params: { type, tab: id }, body: { active: !active, updatedAt } }),
        },
      ]}
    />
  )
}
