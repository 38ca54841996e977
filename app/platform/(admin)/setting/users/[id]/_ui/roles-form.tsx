'use client'

import { useTranslations } from 'next-intl'
import { GroupFields, GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormRows } from '@/components/form/form-rows'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import { searchIn } from '@/components/form/use-search'
import type { UserCard } from '@/lib/accounts/administration/contract'
import { setUserRoles } from '@/lib/accounts/role-holders/contract'

type Place = { organizationId: string | null; contractorId: string | null; roles: string[] }
type Values = { updatedAt: string; systemic: string[]; organizations: Place[]; contractors: Place[] }
type Props = { user: UserCard; onDone: () => void }

/** Roles by the place where they are held. */
function placesOf(held: UserCard['roles']): Place[] {
  const places = new Map<string, Place>()
  for (const { role, organization, contractor } of held) {
    const key = `${organization?.id} ${contractor?.id}`
    const [organizationId, contractorId] = [organization?.id ?? null, contractor?.id ?? null]
    const place = places.get(key) ?? { organizationId, contractorId, roles: [] }
    place.roles.push(role.id)
    places.set(key, place)
  }
  return [...places.values()]
}

/** What the call takes, each with the field of the form that it comes from. */
function sentOf({ systemic, organizations, contractors }: Values) {
  const rows = (list: Place[], name: 'organizations' | 'contractors') =>
    list.flatMap(({ roles, ...place }, n) =>
      roles.map((roleId) => ({ field: `${name}.${n}`, held: { roleId, ...place } })),
    )
  return [
    ...systemic.map((roleId) => ({ field: 'systemic', held: { roleId } })),
    ...rows(organizations, 'organizations'),
    ...rows(contractors, 'contractors'),
  ]
}

/** The form's name of a faulty field: the roles of a row, or the place that stands beside them. */
function fieldOf(fault: string, values: Values): string {
  const [, n, part] = /^roles\.(\d+)\.?(\w*)$/.exec(fault) ?? []
  const row = n === undefined ? undefined : sentOf(values)[Number(n)]
  if (!row) return fault
  if (row.field === 'systemic') return 'systemic'
  return `${row.field}.${part === 'organizationId' || part === 'contractorId' ? part : 'roles'}`
}

/** Gives and takes roles: everywhere, in organizations, and for contractors in organizations. */
export function RolesForm({ user, onDone }: Props) {
  const t = useTranslations('users')
  const { id, updatedAt, roles } = user
  const known = roles.map(({ role }) => ({ value: role.id, label: role.name }))
  const named = (list: readonly ({ id: string; name: string } | null)[]) =>
    list.flatMap((one) => (one ? [{ value: one.id, label: one.name }] : []))
  const organizations = named(roles.map(({ organization }) => organization))
  const contractors = named(user.contractors)
  const form: ContractForm<Values> = useContractForm<typeof setUserRoles, Values>(setUserRoles, {
    parts: { params: { id } },
    defaultValues: {
      updatedAt,
      systemic: roles.filter(({ organization }) => !organization).map(({ role }) => role.id),
      organizations: placesOf(roles.filter(({ organization, contractor }) => organization && !contractor)),
      contractors: placesOf(roles.filter(({ contractor }) => contractor)),
    },
    toBody: (values) => ({ updatedAt: values.updatedAt, roles: sentOf(values).map(({ held }) => held) }),
    fieldOf: (fault) => fieldOf(fault, form.form.getValues()),
    onDone,
  })
  const field = fieldsOf(form)
  const search = {
    systemic: useRemote('systemicRoles'),
    organizational: useRemote('organizationalRoles'),
    contractor: useRemote('contractorRoles'),
    organizations: useRemote('organizations'),
  }
  const empty = (): Place => ({ organizationId: null, contractorId: null, roles: [] })
  return (
    <GroupForm form={form} onDone={onDone} note={t('rolesNote')}>
      <FormCombobox multiple name={field('systemic')} label={t('everywhere')} search={search.systemic} chosen={known} />
      <FormRows<Place>
        name={field('organizations')}
        label={t('inOrganizations')}
        rowLabel={t('place')}
        addLabel={t('addOrganization')}
        empty={empty}
      >
        {(row) => (
          <GroupFields>
            <FormCombobox
              name={row('organizationId')}
              label={t('organization')}
              search={search.organizations}
              chosen={organizations}
            />
            <FormCombobox
              multiple
              name={row('roles')}
              label={t('roles')}
              search={search.organizational}
              chosen={known}
            />
          </GroupFields>
        )}
      </FormRows>
      {contractors.length > 0 ? (
        <FormRows<Place>
          name={field('contractors')}
          label={t('forContractors')}
          rowLabel={t('place')}
          addLabel={t('addContractor')}
          empty={empty}
        >
          {(row) => (
            <GroupFields short>
              <FormCombobox
                name={row('contractorId')}
                label={t('contractor')}
                search={searchIn(contractors)}
                chosen={contractors}
              />
              <FormCombobox
                name={row('organizationId')}
                label={t('organization')}
                search={search.organizations}
                chosen={organizations}
              />
              <FormCombobox multiple name={row('roles')} label={t('roles')} search={search.contractor} chosen={known} />
            </GroupFields>
          )}
        </FormRows>
      ) : null}
    </GroupForm>
  )
}
