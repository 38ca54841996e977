'use client'

import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { createDeviceType, type DeviceType, updateDeviceType } from '@/lib/platform/device-types/contract'

type Values = BodyOf<typeof createDeviceType>
type Props = { form: FormOf<Values>; verb: string; codeHint: string; codeLocked?: boolean }

function DeviceTypeForm({ form, verb, codeHint, codeLocked }: Props) {
  const t = useTranslations('device-types')
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={verb}>
      <FormText name={field('name')} label={t('name')} maxLength={100} />
      <FormText name={field('nameEn')} label={t('nameEn')} hint={t('nameEnHint')} maxLength={100} />
      <FormText mono name={field('code')} label={t('code')} hint={codeHint} maxLength={64} readOnly={codeLocked} />
    </DialogForm>
  )
}

/** Makes a device type. */
export function NewDeviceType({ onDone }: { onDone: (created: Created) => void }) {
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

/** Changes a device type as it was read. */
export function EditDeviceType({ type, onDone }: { type: DeviceType; onDone: () => void }) {
  const t = useTranslations('device-types')
  const tUi = useTranslations('ui')
  const { id, domainsCount: _, immutable, ...defaultValues } = type
  const form = useContractForm(updateDeviceType, {
    parts: { params: { id } },
    defaultValues,
    again: ({ updatedAt: _, ...body }) => sends(createDeviceType, { body }),
    onDone,
  })
  const codeHint = t(immutable ? 'shippedHint' : 'codeHint')
  return <DeviceTypeForm form={form} verb={tUi('save')} codeHint={codeHint} codeLocked={immutable} />
}
