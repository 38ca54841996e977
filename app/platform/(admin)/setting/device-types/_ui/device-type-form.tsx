'use client'

import { useTranslations } from 'next-intl'
import type { FieldValues } from 'react-hook-form'
import { CreateButton } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { FormText } from '@/components/form/form-text'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { createDeviceType, type DeviceType, updateDeviceType } from '@/lib/platform/device-types/contract'

type Props<V extends FieldValues> = { form: ContractForm<V>; verb: string; codeHint: string; codeLocked?: boolean }

function DeviceTypeForm<V extends FieldValues>({ form, verb, codeHint, codeLocked }: Props<V>) {
  const t = useTranslations('device-types')
  return (
    <DialogForm form={form} verb={verb}>
      <FormText name="name" label={t('name')} maxLength={100} />
      <FormText name="nameEn" label={t('nameEn')} hint={t('nameEnHint')} maxLength={100} />
      <FormText mono name="code" label={t('code')} hint={codeHint} maxLength={64} readOnly={codeLocked} />
    </DialogForm>
  )
}

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

/** Changes a device type as it was read. */
export function EditDeviceType({ type, onDone }: { type: DeviceType; onDone: () => void }) {
  const t = useTranslations('device-types')
  const tUi = useTranslations('ui')
  const { id, domainsCount: _, immutable, ...defaultValues } = type
  const form = useContractForm(updateDeviceType, { parts: { params: { id } }, defaultValues, onDone })
  const codeHint = t(immutable ? 'shippedHint' : 'codeHint')
  return <DeviceTypeForm form={form} verb={tUi('save')} codeHint={codeHint} codeLocked={immutable} />
}

/** The button that makes a device type, with its dialog. */
export function CreateDeviceType() {
  const t = useTranslations('device-types')
  return (
    <CreateButton label={t('create')} title={t('createTitle')}>
      {(done) => <NewDeviceType onDone={done} />}
    </CreateButton>
  )
}
