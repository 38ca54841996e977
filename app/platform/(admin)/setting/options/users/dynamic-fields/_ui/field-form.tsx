'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { sends } from '@/components/form/actions'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { useContractForm } from '@/components/form/use-contract-form'
import type { CallError } from '@/lib/base/http/client'
import type { FieldError } from '@/lib/base/runtime/errors'
import { createDynamicField, updateDynamicField } from '@/lib/fields/dynamic-fields/contract'
import { FieldFields } from './field-fields'
import { useKnownFields } from './known'
import type { Field } from './read-fields'
import { emptyField, sentValues, valuesOf } from './values'

/** Creates a field in the open tab. */
export function NewField({ onDone }: { onDone: (created: Created) => void }) {
  const tu = useTranslations('ui')
  const { type, tab, tabs } = useKnownFields()
  const { doubles, take } = useDoubles()
  const form = useContractForm(createDynamicField, {
    defaultValues: { ...emptyField(tabs.find(({ id }) => id === tab)?.blocks[0]?.code ?? ''), type },
    toBody: sentValues,
    onRefused: take,
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('create')}>
      <FieldFields form={form} doubles={doubles} />
    </DialogForm>
  )
}

/** Edits a field. */
export function EditField({ field, onDone }: { field: Field; onDone: () => void }) {
  const tu = useTranslations('ui')
  const { doubles, take } = useDoubles()
  const { id, type } = field
  const form = useContractForm(updateDynamicField, {
    parts: { params: { type, id } },
    defaultValues: valuesOf(field),
    toBody: sentValues,
    again: ({ updatedAt: _, ...values }) => sends(createDynamicField, { body: { ...sentValues(values), type } }),
    onRefused: take,
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('save')}>
      <FieldFields form={form} field={field} doubles={doubles} />
    </DialogForm>
  )
}

/** The values that prevent a field from becoming unique, from the last refusal. */
function useDoubles() {
  const [doubles, setDoubles] = useState<readonly FieldError[]>([])
  return { doubles, take: ({ data }: CallError) => setDoubles(data.uniqueErrors ?? []) }
}
