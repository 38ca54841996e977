'use client'

import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useContractForm } from '@/components/form/use-contract-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { createDeviceType } from '@/lib/platform/device-types/contract'
import { DeviceTypeForm } from './device-type-form'

function NewDeviceType({ onDone }: { onDone: () => void }) {
  const t = useTranslations('device-types')
  const tUi = useTranslations('ui')
  const form = useContractForm(createDeviceType, {
    defaultValues: { name: '', nameEn: '', code: '' },
    // left empty, the code is made from the name
    toBody: ({ code, ...values }) => (code?.trim() ? { ...values, code } : values),
    onDone,
  })
  return <DeviceTypeForm form={form} verb={tUi('create')} codeHint={`${t('codeAuto')} ${t('codeHint')}`} />
}

/** The button that makes a device type, with its dialog. */
export function CreateDeviceType() {
  const t = useTranslations('device-types')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" className="size-4.5" />
        {t('create')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('createTitle')}>
        <NewDeviceType onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}
