'use client'

import { useTranslations } from 'next-intl'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormTextarea } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { enableUser } from '@/lib/accounts/administration/contract'

type Props = { id: string; updatedAt: string; onDone: () => void }

/** Disables an account, with a reason for its history. */
export function DisableUser({ id, updatedAt, onDone }: Props) {
  const t = useTranslations('users')
  const form = useContractForm(enableUser, {
    parts: { params: { id } },
    defaultValues: { enabled: false, reason: '', updatedAt },
    toBody: ({ reason, ...body }) => (reason?.trim() ? { ...body, reason } : body),
    params: () => ({ enabled: 'false' }),
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('disable')} danger>
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
