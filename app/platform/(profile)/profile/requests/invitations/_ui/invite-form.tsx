'use client'

import { useTranslations } from 'next-intl'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormText } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { createInvitation } from '@/lib/entry/sent-invitations/contract'
import { AccessRows, companies, type Place, placesOf } from './access-rows'

type Values = { email: string; contractorId: string | null; access: Place[] }

/** Invites one person to a company, with roles by organization. */
export function InviteForm({ onDone }: { onDone: (made?: Created) => void }) {
  const t = useTranslations('invitations')
  const form = useContractForm<typeof createInvitation, Values>(createInvitation, {
    defaultValues: { email: '', contractorId: null, access: [] },
    toBody: ({ email, contractorId, access }) => ({
      email,
      contractorId: contractorId ?? '',
      access: placesOf(access),
    }),
    onDone: ({ id }) => onDone({ id }),
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={t('invite')}>
      <FormText name={field('email')} label={t('email')} inputMode="email" autoComplete="off" maxLength={254} />
      <FormCombobox name={field('contractorId')} label={t('company')} search={companies} />
      <AccessRows form={form} min={1} />
    </DialogForm>
  )
}
