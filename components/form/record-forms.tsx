'use client'

import { useTranslations } from 'next-intl'
import type { ComponentType } from 'react'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import type { Contract } from '@/lib/base/contracts/contract'
import { sends } from './actions'
import type { Created } from './create-button'
import { DialogForm } from './dialog-form'
import type { BodyOf } from './field-name'
import { type FormOf, useContractForm } from './use-contract-form'

/** The props of the fields of a record: the form, and the record if it exists already. */
type Fields<Values, R> = ComponentType<{ form: FormOf<Values>; record?: R | undefined }>

/** What a dialog passes to the form that creates a record. */
export type Creating = { onDone: (created: Created) => void }

type CreateProps<C extends Contract, R> = Creating & {
  contract: C
  fields: Fields<BodyOf<C>, R>
  /** The initial value of each field. */
  empty: DefaultValues<BodyOf<C>>
  /** Omits or converts fields that the call takes in another form. */
  toBody?: (values: BodyOf<C>) => BodyOf<C>
}

/** The form of a dialog that creates a record. */
export function CreateForm<C extends Contract, R>({ contract, fields, empty, toBody, onDone }: CreateProps<C, R>) {
  const t = useTranslations('ui')
  const options = { defaultValues: empty, onDone: (created: unknown) => onDone(created as Created) }
  const form = useContractForm(contract, toBody ? { ...options, toBody } : options)
  const Fields = fields
  return (
    <DialogForm form={form} verb={t('create')}>
      <Fields form={form} />
    </DialogForm>
  )
}

/** Leaves out an empty code: the server makes one from the name. */
export const withoutEmptyCode = <V extends { code?: string | undefined }>({ code, ...values }: V) =>
  (code?.trim() ? { ...values, code } : values) as V

/** What a menu passes to the form that edits a record. */
export type Editing<R> = { record: R; onDone: () => void }

type EditProps<C extends Contract, N extends Contract, R> = Editing<R> & {
  contract: C
  /** Creates the record again after another person deleted it. */
  again: N
  fields: Fields<BodyOf<N>, R>
  /** The body of the call with the values of the record. */
  values: BodyOf<C>
  /** Omits or converts fields that the calls take in another form. */
  toBody?: <B extends BodyOf<N>>(values: B) => B
}

/** The form of a dialog that edits a record. */
export function EditForm<C extends Contract, N extends Contract, R extends { id: string }>(props: EditProps<C, N, R>) {
  const { contract, again, fields, values, toBody, record, onDone } = props
  const t = useTranslations('ui')
  const form = useContractForm<Contract, FieldValues>(contract, {
    parts: { params: { id: record.id } } as never,
    defaultValues: values,
    again: ({ updatedAt: _, ...values }) =>
      sends(again as Contract, { body: toBody ? toBody(values as BodyOf<N>) : values } as never),
    onDone,
    ...(toBody ? { toBody: toBody as (values: FieldValues) => never } : {}),
  })
  const Fields = fields
  return (
    <DialogForm form={form} verb={t('save')}>
      <Fields form={form as FormOf<BodyOf<N>>} record={record} />
    </DialogForm>
  )
}
