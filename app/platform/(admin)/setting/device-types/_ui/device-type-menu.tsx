'use client'

import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { type DeviceType, deleteDeviceType } from '@/lib/site/device-types/contract'
import { EditDeviceType } from './device-type-form'

/** The actions for a device type; `name` is its name in the reader's language. */
export function DeviceTypeMenu({ type, name }: { type: DeviceType; name: string }) {
  const t = useTranslations('device-types')
  const { id, code, immutable, domainsCount: count } = type
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('editTitle', { name }),
          form: (done) => <EditDeviceType record={type} onDone={done} />,
        },
        !immutable && {
          kind: 'remove',
          contract: deleteDeviceType,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText', { code }),
          kept: count > 0 ? { title: t('keepTitle', { name }), text: t('keepText', { count }) } : undefined,
        },
      ]}
    />
  )
}
