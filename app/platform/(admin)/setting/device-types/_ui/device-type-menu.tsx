'use client'

import { useTranslations } from 'next-intl'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm, withoutEmptyCode } from '@/components/form/record-forms'
import { RowActions } from '@/components/form/row-actions'
import type { FormOf } from '@/components/form/use-contract-form'
import { createDeviceType, type DeviceType, deleteDeviceType, updateDeviceType } from '@/lib/site/device-types/contract'

type Props = { form: FormOf<BodyOf<typeof createDeviceType>>; record?: DeviceType | undefined }

function Fields({ form, record }: Props) {
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

/** Creates a device type. */
export const NewDeviceType = (props: Creating) => (
  <CreateForm contract={createDeviceType} fields={Fields} empty={empty} toBody={withoutEmptyCode} {...props} />
)

/** The actions for a device type; `name` is its name in the reader's language. */
export function DeviceTypeMenu({ type, name }: { type: DeviceType; name: string }) {
  const t = useTranslations('device-types')
  const { id, immutable, domainsCount: count, ...values } = type
  const edit = { contract: updateDeviceType, again: createDeviceType, fields: Fields, values, record: type }
  return (
    <RowActions
      row={name}
      actions={[
        { kind: 'edit', title: t('editTitle', { name }), form: (onDone) => <EditForm {...edit} onDone={onDone} /> },
        !immutable && {
          kind: 'remove',
          contract: deleteDeviceType,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText', { code: type.code }),
          blocked: count > 0 ? { title: t('keepTitle', { name }), text: t('keepText', { count }) } : undefined,
        },
      ]}
    />
  )
}
