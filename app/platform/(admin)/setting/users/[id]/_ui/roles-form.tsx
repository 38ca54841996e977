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

type PlaceRoles = { organizationId: string | null; contractorId: string | null; roles: string[] }
type Values = { updatedAt: string; systemic: string[]; organizations: PlaceRoles[]; contractors: PlaceRoles[] }
type Props = { user: UserCard; onDone: () => void }

/** Returns roles by the place where they are held. */
function placesOf(roles: UserCard['roles']): PlaceRoles[] {
  const places = new Map<string, PlaceRoles>()
  for (const { role, organization, contractor } of roles) {
    const key = `${organization?.id} ${contractor?.id}`
    const [organizationId, contractorId] = [organization?.id ?? null, contractor?.id ?? null]
    const place = places.get(key) ?? { organizationId, contractorId, roles: [] }
    place.roles.push(role.id)
    places.set(key, place)
  }
  return [...places.values()]
}

/** The input of the call, each item with the form's field that it comes from. */
function sentOf({ systemic, organizations, contractors }: Values) {
  const rows = (list: PlaceRoles[], name: 'organizations' | 'contractors') =>
    list.flatMap(({ roles, ...place }, index) =>
      roles.map((roleId) => ({ field: `${name}.${index}`, held: { roleId, ...place } })),
    )
  return [
    ...systemic.map((roleId) => ({ field: 'systemic', held: { roleId } })),
    ...rows(organizations, 'organizations'),
    ...rows(contractors, 'contractors'),
  ]
}

/** Returns the form's name of a faulty field: the roles of a row, or the place beside them. */
function fieldOf(fault: string, values: Values): string {
  const [, index, part] = /^roles\.(\d+)\.?(\w*)$/.exec(fault) ?? []
  const row = index === undefined ? undefined : sentOf(values)[Number(index)]
  if (!row) return fault
  if (row.field === 'systemic') return 'systemic'
  return `${row.field}.${part === 'organizationId' || part === 'contractorId' ? part : 'roles'}`
}

/** Gives and takes roles: everywhere, in organizations, and for contractors in organizations. */
export function RolesForm({ user, onDone }: Props) {
  const t = useTranslations('users')
  const { id, updatedAt, roles } = user
  const roleOptions = roles.map(({ role }) => ({ value: role.id, label: role.name }))
  const optionsOf = (list: readonly ({ id: string; name: string } | null)[]) =>
    list.flatMap((item) => (item ? [{ value: item.id, label: item.name }] : []))
  const organizations = optionsOf(roles.map(({ organization }) => organization))
  const contractors = optionsOf(user.contractors)
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
  const empty = (): PlaceRoles => ({ organizationId: null, contractorId: null, roles: [] })
  return (
    <GroupForm form={form} onDone={onDone} note={t('rolesNote')}>
      <FormCombobox
        multiple
        name={field('systemic')}
        label={t('everywhere')}
        search={search.systemic}
        chosen={roleOptions}
      />
      <FormRows<PlaceRoles>
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
              chosen={roleOptions}
            />
          </GroupFields>
        )}
      </FormRows>
      {contractors.length > 0 ? (
        <FormRows<PlaceRoles>
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
              <FormCombobox
                multiple
                name={row('roles')}
                label={t('roles')}
                search={search.contractor}
                chosen={roleOptions}
              />
            </GroupFields>
          )}
        </FormRows>
      ) : null}
    </GroupForm>
  )
}
