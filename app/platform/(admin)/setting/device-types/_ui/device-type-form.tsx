'use client'

import { useTranslations } from 'next-intl'
import type { FieldValues } from 'react-hook-form'
import { Form, FormErrors } from '@/components/form/form'
import { FormText } from '@/components/form/form-text'
import { SubmitButton } from '@/components/form/submit-button'
import type { ContractForm } from '@/components/form/use-contract-form'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'

type Props<V extends FieldValues> = { form: ContractForm<V>; verb: string; codeHint: string; codeLocked?: boolean }

/** The fields of a device type in its dialog; `form` says where they go, `verb` names that on the button. */
export function DeviceTypeForm<V extends FieldValues>({ form, verb, codeHint, codeLocked }: Props<V>) {
  const t = useTranslations('device-types')
  return (
    <Form form={form} className="contents">
      <DialogBody className="grid content-start gap-5">
        <FormErrors />
        <FormText name="name" label={t('name')} maxLength={100} />
        <FormText name="nameEn" label={t('nameEn')} hint={t('nameEnHint')} maxLength={100} />
        <FormText mono name="code" label={t('code')} hint={codeHint} maxLength={64} readOnly={codeLocked} />
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
        <SubmitButton>{verb}</SubmitButton>
      </DialogFooter>
    </Form>
  )
}
