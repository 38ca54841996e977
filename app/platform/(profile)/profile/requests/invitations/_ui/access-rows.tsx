'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormRows } from '@/components/form/form-rows'
import type { FormOf } from '@/components/form/use-contract-form'
import { type Option, type Search, searchIn } from '@/components/form/use-search'
import { Alert } from '@/components/ui/alert'
import { grantableRoles, managedContractors } from '../../../../_ui/managed'

/** A row of the form: an organization and the roles in it. */
export type AccessRow = { organizationId: string | null; roles: string[] }

/** Returns the rows as the calls take them. */
export const placesOf = (access: readonly AccessRow[]) =>
  access.map(({ organizationId, roles }) => ({ organizationId: organizationId ?? '', roles }))

/** The organizations of the found companies, and the names of these companies. */
const places = new Map<string, Option[]>()
const names = new Map<string, string>()

/** Returns a company that was found before, with its name. */
export function knownCompany(id: string | null): Option[] {
  const label = id ? names.get(id) : undefined
  return id && label ? [{ value: id, label }] : []
}

/** Finds companies, and stores their names and organizations. */
async function managed(text: string, signal?: AbortSignal) {
  const contractors = await managedContractors(text, signal)
  for (const { id, name, availableOrganizations } of contractors) {
    names.set(id, name)
    places.set(
      id,
      availableOrganizations.map((each) => ({ value: each.id, label: each.name })),
    )
  }
  return contractors
}

/** The companies that the person manages. */
export const companies: Search = Object.assign(
  async (text: string, signal: AbortSignal): Promise<Option[]> => {
    const contractors = await managed(text, signal)
    return contractors.map(({ id, name, inn }) => ({ value: id, label: name, ...(inn ? { note: inn } : {}) }))
  },
  {
    named: async (ids: string[]) => {
      const contractors = await managed('')
      return contractors.flatMap(({ id, name }) => (ids.includes(id) ? [{ value: id, label: name }] : []))
    },
  },
)

type Choices = {
  of: string
  only: string | null
  organizations: Option[]
  roles: Option[]
}

/** Reads in which organizations people of the chosen company may hold roles, and which of them the person may give. */
function useChoices(): Choices | null {
  const contractorId: string | null = useWatch({ name: 'contractorId' })
  const [choices, setChoices] = useState<Choices | null>(null)
  useEffect(() => {
    if (!contractorId) return setChoices(null)
    const abort = new AbortController()
    const { signal } = abort
    const organizationOptions = places.get(contractorId) ?? []
    grantableRoles(contractorId, signal).then(
      (roles) =>
        setChoices({
          of: contractorId,
          only: organizationOptions.length === 1 ? (organizationOptions[0]?.value ?? null) : null,
          organizations: organizationOptions,
          roles,
        }),
      () => !signal.aborted && setChoices(null),
    )
    return () => abort.abort()
  }, [contractorId])
  return choices?.of === contractorId ? choices : null
}

type Props = {
  form: FormOf<{ contractorId: string | null; access: AccessRow[] }>
  /** How many organizations the form needs. */
  min?: number
}

/** The roles by organization in the chosen company; nothing before one is chosen. */
export function AccessRows({ form, min = 0 }: Props) {
  const t = useTranslations('invitation-import')
  const choices = useChoices()
  if (!choices) return null
  return <Rows key={choices.of} form={form} min={min} choices={choices} label={t('access')} />
}

function Rows({ form, min, choices, label }: Required<Props> & { choices: Choices; label: string }) {
  const t = useTranslations('invitation-import')
  const { setValue, getValues } = useFormMethods<{ access: AccessRow[] }>()
  const isPlace = (id: string | null) => choices.organizations.some(({ value }) => value === id)
  const empty = (): AccessRow => ({ organizationId: choices.only, roles: [] })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each company, which is the key
  useEffect(() => {
    const remaining = getValues('access').filter(({ organizationId }) => isPlace(organizationId))
    setValue('access', remaining.length > 0 || min === 0 ? remaining : [empty()])
  }, [])
  const searches = useMemo(
    () => ({ organizations: searchIn(choices.organizations), roles: searchIn(choices.roles) }),
    [choices],
  )
  if (choices.organizations.length === 0) return <Alert tone="warning">{t('noPlaces')}</Alert>
  return (
    <FormRows<AccessRow>
      name={fieldsOf(form)('access')}
      label={label}
      rowLabel={t('place')}
      addLabel={t('addPlace')}
      min={min}
      max={200}
      empty={empty}
    >
      {(field) => (
        <>
          <FormCombobox
            name={field('organizationId')}
            label={t('organization')}
            search={searches.organizations}
            chosen={choices.organizations}
          />
          <FormCombobox
            multiple
            name={field('roles')}
            label={t('roles')}
            search={searches.roles}
            chosen={choices.roles}
          />
        </>
      )}
    </FormRows>
  )
}
