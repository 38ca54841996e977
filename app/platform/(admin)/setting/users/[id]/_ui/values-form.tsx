'use client'

import { GroupFields, GroupForm } from '@/components/card/group-form'
import { DefinedField } from '@/components/form/defined-field'
import { changedValues, definedDefaults, definedName } from '@/components/form/defined-values'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { updateUser } from '@/lib/account-administration/accounts/contract'
import type { UserCard } from '@/lib/accounts/administration/contract'
import type { UserBlock } from '@/lib/accounts/user-table/fields'

type Field = UserBlock['fields'][number]
type Props = { user: UserCard; block: UserBlock; onDone: () => void }

/** Returns the form's name of a faulty field of the call, which has all of them below `values`. */
const faultIn = (fields: readonly Field[]) => (fault: string) => {
  const field = fields.find(({ code }) => fault === `values.${code}`)
  return field ? definedName(field) : fault
}

/** The controls of these fields: short ones side by side, texts of several lines below. */
function BlockFields({ fields }: { fields: readonly Field[] }) {
  const isWide = ({ fieldType }: Field) => fieldType === 'textarea'
  return (
    <>
      <GroupFields>
        {fields
          .filter((field) => !isWide(field))
          .map((field) => (
            <DefinedField key={field.code} field={field} />
          ))}
      </GroupFields>
      {fields.filter(isWide).map((field) => (
        <DefinedField key={field.code} field={field} />
      ))}
    </>
  )
}

/** Changes the fields of one block of an account. */
export function ValuesForm({ user, block, onDone }: Props) {
  const { id, updatedAt, values } = user
  const fields = block.fields.filter(({ edit, fieldType }) => edit && fieldType !== 'picture')
  type Values = { updatedAt: string } & Record<string, unknown>
  const defaultValues: Values = { updatedAt, ...definedDefaults(fields, values) }
  const form: ContractForm<Values> = useContractForm<typeof updateUser, Values>(updateUser, {
    parts: { params: { id } },
    defaultValues,
    toBody: (typed) => ({
      updatedAt: typed.updatedAt,
      values: changedValues(fields, typed, form.form.formState.defaultValues ?? {}),
    }),
    fieldOf: faultIn(fields),
    onDone,
  })
  return (
    <GroupForm form={form} onDone={onDone}>
      <BlockFields fields={fields} />
    </GroupForm>
  )
}
