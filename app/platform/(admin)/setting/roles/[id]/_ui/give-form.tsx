'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import type { Search } from '@/components/form/use-search'
import type { RoleType } from '@/lib/access/roles/contract'
import { searchContacts } from '@/lib/accounts/people-search/contract'
import { addHolders, searchRolePlaces } from '@/lib/accounts/role-holders/contract'
import { call } from '@/lib/base/http/client'
import { localName } from '@/lib/base/i18n/local-name'

const people: Search = async (text, signal) => {
  const { contacts } = await call(searchContacts, { query: text ? { searchValue: text } : {} }, { signal })
  return contacts.map(({ userId, fullName, email }) => ({
    value: userId,
    label: fullName || email || userId,
    ...(email && fullName ? { note: email } : {}),
  }))
}

type Values = { users: string[]; organizationId: string | null; contractorId: string | null }
type Props = { role: { id: string; roleType: RoleType }; onDone: () => void }

/** Gives a role to people, in the places in which roles of its type are held. */
export function GiveForm({ role: { id, roleType }, onDone }: Props) {
  const t = useTranslations('roles')
  const form: ContractForm<Values> = useContractForm<typeof addHolders, Values>(addHolders, {
    parts: { params: { id } },
    defaultValues: { users: [], organizationId: null, contractorId: null },
    toBody: ({ users, organizationId, contractorId }) => ({
      users,
      ...(organizationId ? { organizationId } : {}),
      ...(contractorId ? { contractorId } : {}),
    }),
    fieldOf: (field) => (field.startsWith('users') ? 'users' : field),
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('give')}>
      {roleType === 'contractor' ? <Contractor form={form} /> : null}
      {roleType !== 'systemic' ? <Organization form={form} /> : null}
      <FormCombobox multiple name={fieldsOf(form)('users')} label={t('peopleField')} search={people} />
    </DialogForm>
  )
}

function usePlaces(kind: 'organization' | 'contractor', contractorId?: string): Search {
  const locale = useLocale()
  return useMemo<Search>(
    () => async (text, signal) => {
      const query = { kind, ...(text ? { searchValue: text } : {}), ...(contractorId ? { contractorId } : {}) }
      const { places } = await call(searchRolePlaces, { query }, { signal })
      return places.map((place) => ({
        value: place.id,
        label: localName(place, locale),
        ...(place.inn ? { note: place.inn } : {}),
      }))
    },
    [kind, contractorId, locale],
  )
}

function Contractor({ form }: { form: ContractForm<Values> }) {
  const t = useTranslations('roles')
  return <FormCombobox name={fieldsOf(form)('contractorId')} label={t('contractor')} search={usePlaces('contractor')} />
}

function Organization({ form }: { form: ContractForm<Values> }) {
  const t = useTranslations('roles')
  const contractorId: string | null = useWatch({ name: 'contractorId' })
  const search = usePlaces('organization', contractorId ?? undefined)
  return <FormCombobox name={fieldsOf(form)('organizationId')} label={t('organization')} search={search} />
}
