'use client'

import { GroupFields, GroupForm } from '@/components/card/group-form'
import { DefinedField } from '@/components/form/defined-field'
import { changedValues, definedDefaults, definedFault } from '@/components/form/defined-values'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { type ContractorCard, type ContractorInput, updateContractor } from '@/lib/companies/contractors/contract'
import type { FieldBlock } from '@/lib/companies/contractors/fields'
import { requisitesOf } from '@/lib/companies/requisites'

type Props = { contractor: ContractorCard; block: FieldBlock; onDone: () => void }

/**
 * Changes the values of one block of a contractor's fields. The other fields of the call are sent as they were read.
 */
export function ValuesForm({ contractor, block, onDone }: Props) {
  const { id, name, updatedAt, availableOrganizations, values } = contractor
  const fields = block.fields.filter(({ edit, fieldType }) => edit && fieldType !== 'picture')
  const unchanged = {
    name,
    ...requisitesOf(contractor),
    updatedAt,
    availableOrganizations: availableOrganizations.map((organization) => organization.id),
    // an input that is left out here would be emptied by saving
  } satisfies Record<Exclude<keyof ContractorInput, 'values'> | 'updatedAt', unknown>
  type Values = typeof unchanged & Record<string, unknown>
  const defaultValues: Values = { ...unchanged, ...definedDefaults(fields, values) }
  const form: ContractForm<Values> = useContractForm<typeof updateContractor, Values>(updateContractor, {
    parts: { params: { id } },
    defaultValues,
    toBody: (typed) => {
      const body = Object.fromEntries(Object.keys(unchanged).map((key) => [key, typed[key]])) as typeof unchanged
      return { ...body, values: changedValues(fields, typed, form.form.formState.defaultValues ?? {}) }
    },
    fieldOf: definedFault({ dynamic: 'values' }),
    onDone,
  })
  return (
    <GroupForm form={form} onDone={onDone}>
      <GroupFields>
        {fields.map((field) => (
          <DefinedField key={field.code} field={field} />
        ))}
      </GroupFields>
    </GroupForm>
  )
}
