'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormText } from '@/components/form/form-text'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import type { Option } from '@/components/form/use-search'
import { createInvitation } from '@/lib/joining/sent-invitations/contract'
import { type AccessRow, AccessRows, companies, placesOf } from './access-rows'

type Values = { email: string; contractorId: string | null; access: AccessRow[] }

/** Invites one person to a company, with roles by organization. The only company of a manager is chosen at first. */
export function InviteForm({ onDone }: { onDone: (created?: Created) => void }) {
  const t = useTranslations('invitations')
  const form: ContractForm<Values> = useContractForm<typeof createInvitation, Values>(createInvitation, {
    defaultValues: { email: '', contractorId: null, access: [] },
    toBody: ({ email, contractorId, access }) => ({
      email,
      contractorId: contractorId ?? '',
      access: placesOf(access),
    }),
    onDone: ({ id }) => onDone({ id }),
  })
  const field = fieldsOf(form)
  const [onlyCompany, setOnlyCompany] = useState<Option | null>(null)
  const { getValues, setValue, clearErrors } = form.form
  useEffect(() => {
    const abort = new AbortController()
    companies('', abort.signal).then(
      (options) => {
        const [first] = options
        if (!first || options.length > 1 || getValues('contractorId')) return
        setOnlyCompany(first)
        setValue('contractorId', first.value)
        clearErrors('contractorId')
      },
      // then the person chooses it
      () => undefined,
    )
    return () => abort.abort()
  }, [getValues, setValue, clearErrors])
  return (
    <DialogForm form={form} verb={t('invite')}>
      <FormText name={field('email')} label={t('email')} inputMode="email" autoComplete="off" maxLength={254} />
      <FormCombobox
        key={onlyCompany ? 'known' : 'open'}
        name={field('contractorId')}
        label={t('company')}
        search={companies}
        chosen={onlyCompany ? [onlyCompany] : []}
      />
      <AccessRows form={form} min={1} />
    </DialogForm>
  )
}
