'use client'

import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { createFieldTab, updateFieldTab } from '@/lib/fields/field-tabs/contract'
import { useKnownFields } from './known'

type Values = BodyOf<typeof createFieldTab>
export type EditedTab = { id: string; title: string; titleEn: string | null; updatedAt: string }

/** Creates a tab. */
export function NewTab({ onDone }: { onDone: (created: Created) => void }) {
  const tu = useTranslations('ui')
  const { type } = useKnownFields()
  const form = useContractForm(createFieldTab, {
    parts: { params: { type } },
    defaultValues: { title: '', titleEn: '' },
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('create')}>
      <Names form={form} />
    </DialogForm>
  )
}

/** Renames a tab. */
export function EditTab({ tab, onDone }: { tab: EditedTab; onDone: () => void }) {
  const tu = useTranslations('ui')
  const { type } = useKnownFields()
  const form = useContractForm(updateFieldTab, {
    parts: { params: { type, tab: tab.id } },
    defaultValues: { title: tab.title, titleEn: tab.titleEn ?? '', updatedAt: tab.updatedAt },
    again: ({ updatedAt: _, ...body }) => sends(createFieldTab, { params: { type }, body }),
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('save')}>
      <Names form={form} />
    </DialogForm>
  )
}

function Names({ form }: { form: FormOf<Values> }) {
  const t = useTranslations('dynamic-fields')
  const field = fieldsOf(form)
  return (
    <>
      <FormText name={field('title')} label={t('title')} maxLength={100} />
      <FormText name={field('titleEn')} label={t('titleEn')} hint={t('titleEnHint')} maxLength={100} />
    </>
  )
}
