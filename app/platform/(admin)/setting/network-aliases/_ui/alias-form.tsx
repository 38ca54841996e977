'use client'

import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormRows } from '@/components/form/form-rows'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { createNetworkAlias, type NetworkAlias, updateNetworkAlias } from '@/lib/platform/network-aliases/contract'

const emptyRow = () => ({ ip: '', comment: '' })

function AliasForm({ form, verb }: { form: FormOf<BodyOf<typeof createNetworkAlias>>; verb: string }) {
  const t = useTranslations('network-aliases')
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={verb}>
      <FormText name={field('name')} label={t('name')} maxLength={100} />
      <FormRows
        name={field('ips')}
        label={t('addresses')}
        rowLabel={t('address')}
        hint={t('ipHint')}
        addLabel={t('addIp')}
        empty={emptyRow}
        min={1}
        max={500}
        pasted="ip"
      >
        {(row) => (
          <>
            <FormText mono name={row('ip')} label={t('ip')} maxLength={64} />
            <FormText name={row('comment')} label={t('ipComment')} maxLength={255} />
          </>
        )}
      </FormRows>
      <FormTextarea name={field('comment')} label={t('comment')} rows={2} maxLength={255} />
    </DialogForm>
  )
}

/** Makes an alias. */
export function NewAlias({ onDone }: { onDone: (created: Created) => void }) {
  const t = useTranslations('ui')
  const defaultValues = { name: '', ips: [emptyRow()], comment: '' }
  return <AliasForm form={useContractForm(createNetworkAlias, { defaultValues, onDone })} verb={t('create')} />
}

/** Changes an alias as it was read. */
export function EditAlias({ alias, onDone }: { alias: NetworkAlias; onDone: () => void }) {
  const t = useTranslations('ui')
  const { id, usedIn: _, ...defaultValues } = alias
  const form = useContractForm(updateNetworkAlias, {
    parts: { params: { id } },
    defaultValues,
    again: ({ updatedAt: _, ...body }) => sends(createNetworkAlias, { body }),
    onDone,
  })
  return <AliasForm form={form} verb={t('save')} />
}
