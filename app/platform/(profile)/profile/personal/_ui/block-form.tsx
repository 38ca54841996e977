'use client'

import type { ReactNode } from 'react'
import { GroupFields, GroupForm } from '@/components/card/group-form'
import { DefinedField } from '@/components/form/defined-field'
import { changedValues, definedDefaults, definedFault } from '@/components/form/defined-values'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { type ProfileFieldView, updateProfile } from '@/lib/my-account/personal/contract'

type Props = {
  fields: readonly ProfileFieldView[]
  /** The stored values by code. */
  stored: Readonly<Record<string, unknown>>
  updatedAt: string
  /** The fields that only administrators change, as text. */
  rest: ReactNode
  onDone: () => void
}

const isWide = ({ fieldType }: ProfileFieldView) => fieldType === 'textarea'

/** Changes the fields of one block that the person may change; the others stay visible. */
export function BlockForm({ fields, stored, updatedAt, rest, onDone }: Props) {
  const editable = fields.filter(({ edit }) => edit)
  type Values = { updatedAt: string } & Record<string, unknown>
  const defaultValues: Values = { updatedAt, ...definedDefaults(editable, stored) }
  const form: ContractForm<Values> = useContractForm<typeof updateProfile, Values>(updateProfile, {
    defaultValues,
    toBody: (values) => {
      const base = form.form.formState.defaultValues ?? {}
      const changedOf = (changed: readonly ProfileFieldView[]) => changedValues(changed, values, base)
      return {
        updatedAt: values.updatedAt,
        mainInfo: changedOf(editable.filter((field) => field.base)) as Record<string, string | null>,
        additionalInfo: changedOf(editable.filter((field) => !field.base)),
      }
    },
    fieldOf: definedFault({ base: 'mainInfo', dynamic: 'additionalInfo' }),
    onDone,
  })
  const narrow = editable.filter((field) => !isWide(field))
  return (
    <GroupForm form={form} onDone={onDone}>
      {narrow.length > 0 ? (
        <GroupFields>
          {narrow.map((field) => (
            <DefinedField key={field.code} field={field} />
          ))}
        </GroupFields>
      ) : null}
      {editable.filter(isWide).map((field) => (
        <DefinedField key={field.code} field={field} />
      ))}
      {rest}
    </GroupForm>
  )
}
