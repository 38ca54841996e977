'use client'

import { useTranslations } from 'next-intl'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormRows } from '@/components/form/form-rows'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm } from '@/components/form/record-forms'
import { RowActions } from '@/components/form/row-actions'
import type { FormOf } from '@/components/form/use-contract-form'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import {
  createNetworkAlias,
  deleteNetworkAlias,
  type NetworkAlias,
  updateNetworkAlias,
} from '@/lib/network/network-aliases/contract'

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

type Props = { alias: NetworkAlias; name: string; mayWrite: boolean }

/** The actions for an alias: view its addresses, or edit and delete it. */
export function AliasMenu({ alias, name, mayWrite }: Props) {
  const t = useTranslations('network-aliases')
  const { id, usedIn, ...values } = alias
  const edit = { contract: updateNetworkAlias, again: createNetworkAlias, fields: AliasFields, values, record: alias }
  const title = t('editTitle', { name })
  const places = usedIn.map(({ place, count }) => t(`usage.${place}`, { count })).join(', ')
  const addresses = values.ips.map(({ ip, comment }) => (
    <KeyValue key={ip} label={comment || t('ip')}>
      <Mono>{ip}</Mono>
    </KeyValue>
  ))
  if (!mayWrite)
    return <RowActions row={name} actions={[{ kind: 'view', title, body: <KeyValues>{addresses}</KeyValues> }]} />
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title,
          text: t(places ? 'usedText' : 'dialogText'),
          form: (onDone) => <EditForm {...edit} onDone={onDone} />,
        },
        {
          kind: 'remove',
          contract: deleteNetworkAlias,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          blocked: places ? { title: t('keepTitle', { name }), text: t('keepText', { places }) } : undefined,
        },
      ]}
    />
  )
}
