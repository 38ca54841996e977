'use client'

import { DefinedField } from '@/components/form/defined-field'
import { changedValues, definedDefaults, definedFault } from '@/components/form/defined-values'
import { Form, FormErrors } from '@/components/form/form'
import { PictureField } from '@/components/form/picture-field'
import { SubmitButton } from '@/components/form/submit-button'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { Card } from '@/components/ui/card'
import type { FieldView } from '@/lib/fields/values/definition'
import { sampleDefinedCall } from './sample-contracts'

/** A form of defined fields of each type. The sent values are never stored: the call doesn't exist. */
export function DefinedForm({
  fields,
  stored,
  verb,
}: {
  fields: FieldView[]
  stored: Record<string, unknown>
  verb: string
}) {
  type Values = Record<string, unknown>
  const form: ContractForm<Values> = useContractForm<typeof sampleDefinedCall, Values>(sampleDefinedCall, {
    defaultValues: definedDefaults(fields, stored),
    toBody: (values) => ({ values: changedValues(fields, values, form.form.formState.defaultValues ?? {}) }),
    fieldOf: definedFault({ dynamic: 'values' }),
  })
  return (
    <Card>
      <Form form={form}>
        <FormErrors />
        {fields.map((field) => (
          <DefinedField key={field.code} field={field} />
        ))}
        <div>
          <SubmitButton>{verb}</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}

const load = async () => ({ replace: sampleDefinedCall, remove: sampleDefinedCall })

/** A required picture that is missing. */
export const PictureSample = (props: { title: string; missing: string }) => (
  <PictureField {...props} picture={null} load={load} params={{}} />
)
