'use client'

import { useTranslations } from 'next-intl'
import { GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { useContractForm } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import type { UserCard } from '@/lib/accounts/administration/contract'
import { setUserContractors } from '@/lib/companies/contractors/contract'

/** Adds a person to contractors and removes them. */
export function ContractorsForm({ user, onDone }: { user: UserCard; onDone: () => void }) {
  const t = useTranslations('users')
  const { id, updatedAt, contractors } = user
  const form = useContractForm(setUserContractors, {
    parts: { params: { id } },
    defaultValues: { updatedAt, contractors: contractors.map((contractor) => contractor.id) },
    fieldOf: (fault) => (fault.startsWith('contractors') ? 'contractors' : fault),
    onDone,
  })
  return (
    <GroupForm form={form} onDone={onDone}>
      <FormCombobox
        multiple
        name={fieldsOf(form)('contractors')}
        label={t('contractors')}
        hint={t('contractorsHint')}
        search={useRemote('contractors')}
        chosen={contractors.map((contractor) => ({ value: contractor.id, label: contractor.name }))}
      />
    </GroupForm>
  )
}
