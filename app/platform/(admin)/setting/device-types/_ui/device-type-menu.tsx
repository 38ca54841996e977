'use client'

import { Pencil, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useContractForm } from '@/components/form/use-contract-form'
import { useWrite } from '@/components/form/use-write'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { MenuItem, MenuSeparator } from '@/components/ui/menu'
import { RowMenu } from '@/components/ui/row-menu'
import { type DeviceType, deleteDeviceType, updateDeviceType } from '@/lib/platform/device-types/contract'
import { DeviceTypeForm } from './device-type-form'

function EditDeviceType({ type, onDone }: { type: DeviceType; onDone: () => void }) {
  const t = useTranslations('device-types')
  const tUi = useTranslations('ui')
  const { id, name, nameEn, code, updatedAt, immutable } = type
  const form = useContractForm(updateDeviceType, {
    parts: { params: { id } },
    defaultValues: { name, nameEn, code, updatedAt },
    onDone,
  })
  return (
    <DeviceTypeForm
      form={form}
      verb={tUi('save')}
      codeHint={t(immutable ? 'shippedHint' : 'codeHint')}
      codeLocked={immutable}
    />
  )
}

/** What can be done with a device type. */
export function DeviceTypeMenu({ type, locale }: { type: DeviceType; locale: string }) {
  const t = useTranslations('device-types')
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const { write, reason } = useWrite(deleteDeviceType, { failure: 'inside' })
  const { id, code, immutable, domainsCount } = type
  const name = locale === 'en' && type.nameEn ? type.nameEn : type.name
  const used = domainsCount > 0
  const close = () => setDialog(null)
  const remove = async () => {
    const outcome = await write({ params: { id } })
    return outcome?.ok === false ? reason(outcome.error) : undefined
  }
  return (
    <>
      <RowMenu row={name}>
        <MenuItem onSelect={() => setDialog('edit')}>
          <Pencil aria-hidden="true" className="size-4" />
          {t('edit')}
        </MenuItem>
        {immutable ? null : (
          <>
            <MenuSeparator />
            <MenuItem tone="danger" onSelect={() => setDialog('delete')}>
              <Trash2 aria-hidden="true" className="size-4" />
              {t('delete')}
            </MenuItem>
          </>
        )}
      </RowMenu>
      <Dialog open={dialog === 'edit'} onOpenChange={close} title={t('editTitle', { name })}>
        <EditDeviceType type={type} onDone={close} />
      </Dialog>
      <Dialog open={dialog === 'delete' && used} onOpenChange={close} size="S" title={t('keepTitle', { name })}>
        <DialogBody>
          <p>{t('keepText', { count: domainsCount })}</p>
        </DialogBody>
        <DialogFooter>
          <DialogCancel>{t('gotIt')}</DialogCancel>
        </DialogFooter>
      </Dialog>
      <ConfirmDialog
        open={dialog === 'delete' && !used}
        onOpenChange={close}
        title={t('deleteTitle', { name })}
        text={t('deleteText', { code })}
        confirm={t('delete')}
        onConfirm={remove}
      />
    </>
  )
}
