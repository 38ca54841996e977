'use client'

import { useTranslations } from 'next-intl'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormRows } from '@/components/form/form-rows'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm, type Editing } from '@/components/form/record-forms'
import type { FormOf } from '@/components/form/use-contract-form'
import { createNetworkAlias, type NetworkAlias, updateNetworkAlias } from '@/lib/network/network-aliases/contract'

const emptyRow = () => ({ ip: '', comment: '' })

function AliasFields({ form }: { form: FormOf<BodyOf<typeof createNetworkAlias>> }) {
  const t = useTranslations('network-aliases')
  const field = fieldsOf(form)
  return (
    <>
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
    </>
  )
}

const empty = { name: '', ips: [emptyRow()], comment: '' }

/** Creates an alias. */
export const NewAlias = (props: Creating) => (
  <CreateForm contract={createNetworkAlias} fields={AliasFields} empty={empty} {...props} />
)

/** Edits an alias. */
export function EditAlias(of: Editing<NetworkAlias>) {
  const { id: _, usedIn: __, ...values } = of.record
  return (
    <EditForm contract={updateNetworkAlias} again={createNetworkAlias} fields={AliasFields} values={values} {...of} />
  )
}
