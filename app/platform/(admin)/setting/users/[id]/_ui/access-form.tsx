'use client'

import { useTranslations } from 'next-intl'
import { GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormSwitch } from '@/components/form/form-choice'
import { FormSelect } from '@/components/form/form-select'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { updateUser } from '@/lib/account-administration/accounts/contract'
import type { UserCard } from '@/lib/accounts/administration/contract'

type Values = { updatedAt: string; isEditable: boolean; authenticationSchemaId: string | null }
type Props = { user: UserCard; schemas: readonly { id: string; name: string }[]; onDone: () => void }

/** Changes how a person signs in, and whether they may change their own profile. */
export function AccessForm({ user, schemas, onDone }: Props) {
  const t = useTranslations('users')
  const { id, updatedAt, isEditable, authenticationSchema } = user
  const form: ContractForm<Values> = useContractForm<typeof updateUser, Values>(updateUser, {
    parts: { params: { id } },
    defaultValues: { updatedAt, isEditable, authenticationSchemaId: authenticationSchema?.id ?? null },
    toBody: (values) => ({ ...values, authenticationSchemaId: values.authenticationSchemaId || null }),
    onDone,
  })
  const field = fieldsOf(form)
  // a chosen schema may be disabled by now
  const isDisabled = authenticationSchema && !schemas.some((schema) => schema.id === authenticationSchema.id)
  const options = [...schemas, ...(isDisabled ? [authenticationSchema] : [])]
  return (
    <GroupForm form={form} onDone={onDone}>
      <FormSelect
        name={field('authenticationSchemaId')}
        label={t('schema')}
        hint={t('schemaHint')}
        options={options.map((schema) => ({ value: schema.id, label: schema.name }))}
        clearable
      />
      <FormSwitch name={field('isEditable')} label={t('mayChangeProfile')} />
    </GroupForm>
  )
}
