'use client'

import { useTranslations } from 'next-intl'
import { useContext } from 'react'
import type { Created } from '@/components/form/create-button'
import { DefinedField } from '@/components/form/defined-field'
import { definedDefaults, definedName } from '@/components/form/defined-values'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormSwitch } from '@/components/form/form-choice'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { createUser } from '@/lib/account-administration/accounts/contract'
import { isFilled } from '@/lib/fields/values/definition'
import { NewUserFields } from './new-user-fields'

type Values = { sendLink: boolean } & Record<string, unknown>

/** Creates an account with the fields of the button that opened it. */
export function NewUser({ onDone }: { onDone: (created?: Created) => void }) {
  const t = useTranslations('users')
  const fields = useContext(NewUserFields)
  const form: ContractForm<Values> = useContractForm<typeof createUser, Values>(createUser, {
    defaultValues: { sendLink: true, ...definedDefaults(fields, {}) },
    toBody: (typed) => ({
      sendLink: typed.sendLink,
      values: Object.fromEntries(
        fields.flatMap((field) => {
          const value = typed[definedName(field)] as string
          return isFilled(value) ? [[field.code, value]] : []
        }),
      ),
    }),
    fieldOf: (fault) => {
      const field = fields.find(({ code }) => fault === `values.${code}`)
      return field ? definedName(field) : fault
    },
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('create')}>
      {fields.map((field) => (
        <DefinedField key={field.code} field={field} />
      ))}
      <FormSwitch name={fieldsOf(form)('sendLink')} label={t('sendLink')} hint={t('sendLinkHint')} />
    </DialogForm>
  )
}
