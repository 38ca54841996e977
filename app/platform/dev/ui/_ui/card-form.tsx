'use client'

import { useTranslations } from 'next-intl'
import { GroupFields, GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { sampleGroupCall } from './sample-contracts'

type Props = { name: string; inn: string; onDone: () => void }

/** The example's form; it saves nothing. */
export function CardForm({ name, inn, onDone }: Props) {
  const t = useTranslations('gallery.card')
  const form = useContractForm(sampleGroupCall, {
    defaultValues: { name, inn, comment: '' },
    send: async () => ({}),
    onDone,
  })
  const field = fieldsOf(form)
  return (
    <GroupForm form={form} onDone={onDone} note={t('saveNote')}>
      <GroupFields>
        <FormText name={field('name')} label={t('name')} />
        <FormText name={field('inn')} label={t('inn')} />
      </GroupFields>
      <FormText name={field('comment')} label={t('comment')} />
    </GroupForm>
  )
}
