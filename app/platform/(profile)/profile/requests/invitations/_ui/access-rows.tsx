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
export type Place = { organizationId: string | null; roles: string[] }

/** Returns the rows as the calls take them. */
export const placesOf = (access: readonly Place[]) =>
  access.map(({ organizationId, roles }) => ({ organizationId: organizationId ?? '', roles }))

/** Where people of the found companies may hold roles, and what these companies are called. */
const places = new Map<string, Option[]>()
const names = new Map<string, string>()

/** Returns a company that was found before, with its name. */
export function knownCompany(id: string | null): Option[] {
  const label = id ? names.get(id) : undefined
  return id && label ? [{ value: id, label }] : []
}

/** Finds companies, and remembers their names and places. */
async function managed(text: string, signal?: AbortSignal) {
  const found = await managedContractors(text, signal)
  for (const { id, name, availableOrganizations } of found) {
    names.set(id, name)
    places.set(
      id,
      availableOrganizations.map((each) => ({ value: each.id, label: each.name })),
    )
  }
  return found
}

/** The companies that the person manages. */
export const companies: Search = Object.assign(
  async (text: string, signal: AbortSignal): Promise<Option[]> => {
    const found = await managed(text, signal)
    return found.map(({ id, name, inn }) => ({ value: id, label: name, ...(inn ? { note: inn } : {}) }))
  },
  {
    named: async (ids: string[]) => {
      const found = await managed('')
      return found.flatMap(({ id, name }) => (ids.includes(id) ? [{ value: id, label: name }] : []))
    },
  },
)

type Choices = {
  of: string
  only: string | null
  organizations: Option[]
  roles: Option[]
}

/** Reads where people of the chosen company may hold roles, and which of them the person may give. */
function useChoices(): Choices | null {
  const contractorId: string | null = useWatch({ name: 'contractorId' })
  const [choices, setChoices] = useState<Choices | null>(null)
  useEffect(() => {
    if (!contractorId) return setChoices(null)
    const abort = new AbortController()
    const { signal } = abort
    const found = places.get(contractorId) ?? []
    grantableRoles(contractorId, signal).then(
      (roles) =>
        setChoices({
          of: contractorId,
          only: found.length === 1 ? (found[0]?.value ?? null) : null,
          organizations: found,
          roles,
        }),
      () => !signal.aborted && setChoices(null),
    )
    return () => abort.abort()
  }, [contractorId])
  return choices?.of === contractorId ? choices : null
}

type Props = {
  form: FormOf<{ contractorId: string | null; access: Place[] }>
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
  const { setValue, getValues } = useFormMethods<{ access: Place[] }>()
  const isPlace = (id: string | null) => choices.organizations.some(({ value }) => value === id)
  const empty = (): Place => ({ organizationId: choices.only, roles: [] })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each company, which is the key
  useEffect(() => {
    const known = getValues('access').filter(({ organizationId }) => isPlace(organizationId))
    setValue('access', known.length > 0 || min === 0 ? known : [empty()])
  }, [])
  const searches = useMemo(
    () => ({ organizations: searchIn(choices.organizations), roles: searchIn(choices.roles) }),
    [choices],
  )
  if (choices.organizations.length === 0) return <Alert tone="warning">{t('noPlaces')}</Alert>
  return (
    <FormRows<Place>
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
