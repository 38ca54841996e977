'use client'

import { useTranslations } from 'next-intl'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm, type Editing } from '@/components/form/record-forms'
import type { FormOf } from '@/components/form/use-contract-form'
import { createDeviceType, type DeviceType, updateDeviceType } from '@/lib/site/device-types/contract'

type Props = { form: FormOf<BodyOf<typeof createDeviceType>>; record?: DeviceType | undefined }

function DeviceTypeFields({ form, record }: Props) {
  const t = useTranslations('device-types')
  const field = fieldsOf(form)
  const locked = record?.immutable
  const codeHint = record ? t(locked ? 'shippedHint' : 'codeHint') : `${t('codeAuto')} ${t('codeHint')}`
  return (
    <>
      <FormText name={field('name')} label={t('name')} maxLength={100} />
      <FormText name={field('nameEn')} label={t('nameEn')} hint={t('nameEnHint')} maxLength={100} />
      <FormText mono name={field('code')} label={t('code')} hint={codeHint} maxLength={64} readOnly={locked} />
    </>
  )
}

const empty = { name: '', nameEn: '', code: '' }
type Values = BodyOf<typeof createDeviceType>

/** If it is empty, the server makes the code from the name. */
const toBody = ({ code, ...values }: Values): Values => (code?.trim() ? { ...values, code } : values)

/** Creates a device type. */
export const NewDeviceType = (props: Creating) => (
  <CreateForm contract={createDeviceType} fields={DeviceTypeFields} empty={empty} toBody={toBody} {...props} />
)

/** Edits a device type. */
export function EditDeviceType(of: Editing<DeviceType>) {
  const { id: _, domainsCount: __, immutable: ___, ...values } = of.record
  return (
    <EditForm contract={updateDeviceType} again={createDeviceType} fields={DeviceTypeFields} values={values} {...of} />
  )
}
