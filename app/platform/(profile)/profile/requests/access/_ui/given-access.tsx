'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useMemo, useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { CheckboxBox } from '@/components/form/checkbox-box'
import { FieldError } from '@/components/form/field-error'
import { fieldsOf } from '@/components/form/field-name'
import { useFieldId } from '@/components/form/form'
import { FormCombobox } from '@/components/form/form-combobox'
import type { ContractForm } from '@/components/form/use-contract-form'
import type { Search } from '@/components/form/use-search'
import { Alert } from '@/components/ui/alert'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'
import {
  type IncomingRequest,
  listGrantableRoles,
  listManagedContractors,
} from '@/lib/companies/access-requests/contract'
import { managedContractors } from '../../../../_ui/managed'
import type { DecisionValues } from './decide-form'

type Contractor = CallOutput<typeof listManagedContractors>['contractors'][number]
type Role = CallOutput<typeof listGrantableRoles>['roles'][number]
type Props = { form: ContractForm<DecisionValues>; requests: IncomingRequest[]; optional: boolean }

/**
 * The contractor and the roles that a decision gives. The contractor with the INN of the request is chosen at first.
 */
export function GivenAccess({ form, requests, optional }: Props) {
  const t = useTranslations('access-requests')
  const [byId, setById] = useState<ReadonlyMap<string, Contractor>>(new Map())
  const contractorId: string | null = useWatch({ name: 'contractorId' })
  const field = fieldsOf(form)
  const learn = (list: readonly Contractor[]) =>
    setById((before) => new Map([...before, ...list.map((item): [string, Contractor] => [item.id, item])]))
  const inns = [...new Set(requests.map(({ requestCompanyInn }) => requestCompanyInn))]
  const inn = inns.length === 1 ? inns[0] : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the requests with which the dialog opened
  useEffect(() => {
    let current = true
    if (!inn || form.form.getValues('contractorId')) return
    call(listManagedContractors, { query: { filter: { inn } } })
      .then(({ contractors }) => {
        const [onlyContractor] = contractors
        if (!current || !onlyContractor || contractors.length > 1) return
        learn([onlyContractor])
        // the person has typed nothing, so closing the dialog doesn't ask
        form.form.resetField('contractorId', { defaultValue: onlyContractor.id })
      })
      .catch(() => {
        // then the person chooses it
      })
    return () => {
      current = false
    }
  }, [inn])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the combobox wants the same function
  const search = useMemo<Search>(
    () => async (text, signal) => {
      const contractors = await managedContractors(text, signal)
      learn(contractors)
      return contractors.map(({ id, name, inn: number }) => ({ value: id, label: name, note: number }))
    },
    [],
  )
  const chosen = contractorId ? byId.get(contractorId) : undefined
  const others = chosen ? requests.filter(({ requestCompanyInn }) => requestCompanyInn !== chosen.inn).length : 0
  return (
    <>
      <div className="grid gap-2">
        <FormCombobox
          key={chosen ? 'known' : 'open'}
          name={field('contractorId')}
          label={optional ? t('contractorOptional') : t('contractor')}
          hint={optional ? t('contractorOptionalHint') : requests.length === 1 ? t('contractorHint') : undefined}
          search={search}
          chosen={chosen ? [{ value: chosen.id, label: `${chosen.name}, ${t('inn')} ${chosen.inn}` }] : []}
        />
        {others > 0 ? <Alert tone="warning">{t('otherInn', { count: others, total: requests.length })}</Alert> : null}
      </div>
      {chosen ? <Roles key={chosen.id} form={form} contractor={chosen} requests={requests} /> : null}
    </>
  )
}

type RolesProps = { form: ContractForm<DecisionValues>; contractor: Contractor; requests: IncomingRequest[] }

/** The roles by organization. Requested roles are marked; with only one organization they are also chosen. */
function Roles({ form, contractor, requests }: RolesProps) {
  const t = useTranslations('access-requests')
  const [roles, setRoles] = useState<Role[] | 'failed' | null>(null)
  const name = fieldsOf(form)('contractorRoles')
  const { field, fieldState } = useController({ name })
  const id = useFieldId(name, t('roles'))
  const asked = new Set(requests.flatMap(({ requestCompanyRoles }) => requestCompanyRoles.map(({ roleId }) => roleId)))
  const places = contractor.availableOrganizations
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each contractor, which is the key
  useEffect(() => {
    let current = true
    const rows = (field.value as DecisionValues['contractorRoles']).filter(({ organizationId }) =>
      places.some((place) => place.id === organizationId),
    )
    field.onChange(rows)
    call(listGrantableRoles, { params: { id: contractor.id } })
      .then((answer) => {
        if (!current) return
        setRoles(answer.roles)
        const [place] = places
        if (!place || places.length > 1 || rows.length > 0) return
        const wished = answer.roles.filter(({ roleId, allowed }) => allowed && asked.has(roleId))
        const defaultValue = [{ organizationId: place.id, rolesIds: wished.map(({ roleId }) => roleId) }]
        if (wished.length > 0) form.form.resetField('contractorRoles', { defaultValue })
      })
      .catch(() => current && setRoles('failed'))
    return () => {
      current = false
    }
  }, [])
  const rows = field.value as DecisionValues['contractorRoles']
  const set = (organizationId: string, roleId: string, checked: boolean) => {
    const before = rows.find((place) => place.organizationId === organizationId)?.rolesIds ?? []
    const rolesIds = checked ? [...before, roleId] : before.filter((each) => each !== roleId)
    field.onChange([
      ...rows.filter((place) => place.organizationId !== organizationId),
      ...(rolesIds.length > 0 ? [{ organizationId, rolesIds }] : []),
    ])
  }
  const error = fieldState.error?.message
  if (roles === 'failed') return <Alert tone="danger">{t('rolesFailed')}</Alert>
  if (places.length === 0) return <Alert tone="warning">{t('noPlaces')}</Alert>
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-describedby={error ? `${id}-error` : undefined}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2"
    >
      <legend className="mb-1.5 text-table">
        <span className="font-medium">{t('roles')}</span>{' '}
        <span className="text-ink-second text-note">{t('rolesHint')}</span>
      </legend>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {roles === null ? <p role="status">{t('readingRoles')}</p> : null}
      {roles?.length === 0 ? <p className="text-ink-second">{t('noRoles')}</p> : null}
      {roles && roles.length > 0 ? (
        <ul className="grid divide-y divide-line rounded-card border border-line">
          {places.map((place) => (
            <li
              key={place.id}
              className="grid gap-x-4 gap-y-1 px-4 py-2.5 @min-[44rem]:grid-cols-[minmax(0,11rem)_minmax(0,1fr)]"
            >
              <span className="wrap-anywhere flex min-h-9 items-center self-start font-medium text-table">
                {place.name}
              </span>
              <span className="flex flex-wrap gap-x-5">
                {roles.map(({ roleId, name: role, allowed }) => (
                  <label
                    key={roleId}
                    htmlFor={`${id}${place.id}${roleId}`}
                    className={
                      allowed
                        ? 'flex min-h-9 min-w-0 cursor-pointer items-center gap-2 text-table'
                        : 'flex min-h-9 min-w-0 cursor-not-allowed items-center gap-2 text-ink-second text-table'
                    }
                  >
                    <CheckboxBox
                      id={`${id}${place.id}${roleId}`}
                      checked={rows.some((row) => row.organizationId === place.id && row.rolesIds.includes(roleId))}
                      disabled={!allowed}
                      aria-label={`${role}, ${place.name}`}
                      onCheckedChange={(checked) => set(place.id, roleId, checked === true)}
                    />
                    <span className="wrap-anywhere min-w-0">
                      {role}
                      {asked.has(roleId) ? <span className="text-ink-second text-note"> · {t('asked')}</span> : null}
                      {allowed ? null : <span className="text-note"> · {t('notAllowed')}</span>}
                    </span>
                  </label>
                ))}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </fieldset>
  )
}
