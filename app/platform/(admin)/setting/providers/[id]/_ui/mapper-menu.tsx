'use client'

import { Power, PowerOff, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { deleteProviderMapper, enableProviderMapper, type Mapper } from '@/lib/directory-sync/provider-mappers/contract'
import { EditMapper } from './mapper-form'
import type { MapperGiven } from './mapper-parts'

type Props = MapperGiven & { mapper: Mapper; name: string; named: Readonly<Record<string, string>> }

/** The actions for a mapper: to edit it, to enable or disable it, and to delete it. */
export function MapperMenu({ mapper, name, named, ...given }: Props) {
  const t = useTranslations('provider-mappers')
  const { id, enabled, updatedAt } = mapper
  const params = { syncId: given.syncId, id }
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('editTitle', { name }),
          form: (done) => <EditMapper mapper={mapper} named={named} given={given} onDone={done} />,
        },
        {
          kind: 'confirm',
          label: t(enabled ? 'disable' : 'enable'),
          icon: enabled ? PowerOff : Power,
          ask: enabled
            ? { title: t('offTitle', { name }), text: t('offText'), tone: 'danger' }
            : { title: t('onTitle', { name }), text: t('onText'), tone: 'primary' },
          sends: sends(
            enableProviderMapper,
            { params, body: { enabled: !enabled, updatedAt } },
            { params: { enabled: String(!enabled) } },
          ),
        },
        {
          kind: 'confirm',
          label: t('delete'),
          icon: Trash2,
          tone: 'danger',
          ask: { title: t('deleteTitle', { name }), text: t('deleteText'), tone: 'danger' },
          sends: sends(deleteProviderMapper, { params }),
        },
      ]}
    />
  )
}
