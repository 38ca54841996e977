'use client'

import { useTranslations } from 'next-intl'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormTextarea } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { resetUserFactors } from '@/lib/account-administration/user-factors/contract'

/** Asks why the second factors are removed. */
export function ResetForm({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useTranslations('users')
  const form = useContractForm(resetUserFactors, {
    parts: { params: { id } },
    defaultValues: { reason: '' },
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('factors.reset')} danger>
      <FormTextarea
        name={fieldsOf(form)('reason')}
        label={t('reason')}
        hint={t('reasonHint')}
        rows={3}
        maxLength={500}
      />
    </DialogForm>
  )
}
