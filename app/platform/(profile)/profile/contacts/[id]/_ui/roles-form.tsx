'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { useContractForm } from '@/components/form/use-contract-form'
import { type Option, type Search, searchIn } from '@/components/form/use-search'
import { Alert } from '@/components/ui/alert'
import { type ContactContractor, changeContactRoles } from '@/lib/companies/colleagues/contract'
import { grantableRoles } from '../../../../_ui/managed'

type Props = { userId: string; person: string; contractor: ContactContractor; onDone: () => void }

/** Returns a search of the roles that the person may give for a contractor; they are read once. */
function rolesSearch(contractorId: string): Search {
  let options: Promise<Option[]> | undefined
  return async (text, signal) => {
    options ??= grantableRoles(contractorId).catch((error) => {
      options = undefined
      throw error
    })
    return searchIn(await options)(text, signal)
  }
}

type OrganizationRoles = { id: string; name: string; held: readonly { id: string; name: string }[] }

/** Returns the organizations of the form: those in which the contact holds roles come first. */
function placesOf({ access, availableOrganizations }: ContactContractor): OrganizationRoles[] {
  const withRoles = access.map(({ organizationId: id, organization: name, roles }) => ({ id, name, held: roles }))
  const withoutRoles = availableOrganizations.filter(({ id }) => !withRoles.some((place) => place.id === id))
  return [...withRoles, ...withoutRoles.map((place) => ({ ...place, held: [] }))]
}

/** Changes the roles of a contact for a company, by organization, and says which ones the contact loses. */
export function RolesForm({ userId, person, contractor, onDone }: Props) {
  const t = useTranslations('contacts')
  const tUi = useTranslations('ui')
  const { id: contractorId, name: company, version } = contractor
  const [places] = useState(() => placesOf(contractor))
  const [search] = useState(() => rolesSearch(contractorId))
  const form = useContractForm(changeContactRoles, {
    defaultValues: {
      userId,
      contractorId,
      version,
      access: places.map(({ id, held }) => ({ organizationId: id, roles: held.map((role) => role.id) })),
    },
    params: () => ({ person, company }),
    fieldOf: (field) => field.replace(/\.organizationId$/, '.roles'),
    onDone,
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={tUi('save')}>
      {places.length === 0 ? <Alert tone="info">{t('noOrganizations')}</Alert> : null}
      {places.map(({ id, name, held }, index) => (
        <FormCombobox
          key={id}
          multiple
          name={field(`access.${index}.roles`)}
          label={name}
          search={search}
          chosen={held.map((role) => ({ value: role.id, label: role.name }))}
        />
      ))}
      <Taken places={places} />
    </DialogForm>
  )
}

/** The roles that the contact loses by saving. */
function Taken({ places }: { places: readonly OrganizationRoles[] }) {
  const t = useTranslations('contacts')
  const access = useWatch({ name: 'access' }) as { roles?: readonly string[] }[] | undefined
  const lines = places.flatMap(({ id, name, held }, index) => {
    const takenRoles = held.filter((role) => !access?.[index]?.roles?.includes(role.id))
    return takenRoles.length > 0 ? [{ id, name, roles: takenRoles.map((role) => role.name).join(', ') }] : []
  })
  return (
    <div role="status" className="empty:-mt-5">
      {lines.length > 0 ? (
        <Alert tone="warning" title={t('takenTitle')}>
          <ul className="grid gap-0.5">
            {lines.map(({ id, name, roles }) => (
              <li key={id}>{t('takenLine', { name, roles })}</li>
            ))}
          </ul>
        </Alert>
      ) : null}
    </div>
  )
}
