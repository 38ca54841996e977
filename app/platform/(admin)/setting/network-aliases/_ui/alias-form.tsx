'use client'

import { useTranslations } from 'next-intl'
import type { FieldValues } from 'react-hook-form'
import { Form, FormErrors } from '@/components/form/form'
import { FormRows } from '@/components/form/form-rows'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { SubmitButton } from '@/components/form/submit-button'
import type { ContractForm } from '@/components/form/use-contract-form'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'

export const emptyRow = () => ({ ip: '', comment: '' })

/** The fields of an alias in its dialog; `form` says where they go, `verb` names that on the button. */
export function AliasForm<V extends FieldValues>({ form, verb }: { form: ContractForm<V>; verb: string }) {
  const t = useTranslations('network-aliases')
  return (
    <Form form={form} className="contents">
      <DialogBody className="grid content-start gap-5">
        <FormErrors />
        <FormText name="name" label={t('name')} maxLength={100} />
        <FormRows
          name="ips"
          label={t('addresses')}
          rowLabel={t('address')}
          hint={t('ipHint')}
          addLabel={t('addIp')}
          empty={emptyRow}
          min={1}
          max={500}
        >
          {(path) => (
            <>
              <FormText mono name={`${path}.ip`} label={t('ip')} maxLength={64} />
              <FormText name={`${path}.comment`} label={t('ipComment')} maxLength={255} />
            </>
          )}
        </FormRows>
        <FormTextarea name="comment" label={t('comment')} rows={2} maxLength={255} />
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
        <SubmitButton>{verb}</SubmitButton>
      </DialogFooter>
    </Form>
  )
}
