'use client'

import { Eye, EyeOff, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { activateSubtype, deleteSubtype } from '@/lib/fields/dynamic-fields/contract'
import { EditBlock } from './block-form'
import { type KnownBlock, useKnownFields } from './known'

type Props = { block: KnownBlock & { fields: number }; name: string; shipped: boolean }

/** The actions for a block; one with shipped fields can be neither hidden nor moved. */
export function BlockMenu({ block, name, shipped }: Props) {
  const t = useTranslations('dynamic-fields')
  const { type } = useKnownFields()
  const { code, active, updatedAt, systemic, fields } = block
  const params = { type, id: code }
  const unavailableReason = systemic ? t('whyShippedBlock') : fields > 0 ? t('whyUsedBlock') : undefined
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('blockTitle', { name }),
          form: (done) => <EditBlock block={block} shipped={shipped} onDone={done} />,
        },
        {
          kind: 'confirm',
          label: t(active ? 'hide' : 'show'),
          icon: active ? EyeOff : Eye,
          ...(active && shipped ? { unavailable: t('whyShippedFields') } : {}),
          ask: active
            ? { title: t('hideBlockTitle', { name }), text: t('hideBlockText', { count: fields }), tone: 'danger' }
            : { title: t('showBlockTitle', { name }), text: t('showBlockText'), tone: 'primary' },
          sends: sends(activateSubtype, { params, body: { active: !active, updatedAt } }),
        },
        {
          kind: 'confirm',
          label: t('delete'),
          icon: Trash2,
          tone: 'danger',
          ...(unavailableReason ? { unavailable: unavailableReason } : {}),
          ask: { title: t('deleteBlockTitle', { name }), text: t('deleteBlockText'), tone: 'danger' },
          sends: sends(deleteSubtype, { params }),
        },
      ]}
    />
  )
}
