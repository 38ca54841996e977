'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormMoment } from '@/components/form/form-moment'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm, type Editing } from '@/components/form/record-forms'
import type { FormOf } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import {
  createBlacklistEntry,
  createWhitelistEntry,
  type Entry,
  updateBlacklistEntry,
  updateWhitelistEntry,
} from '@/lib/network/access-lists/contract'
import { WhitelistEnd } from './whitelist-end'

type Values = BodyOf<typeof createWhitelistEntry>

/** An empty line of the form is no address. */
const toBody = <B extends Values>(values: B): B => ({ ...values, ip: values.ip?.trim() || null })

function EntryFields({ form, record }: { form: FormOf<Values>; record?: Entry | undefined }) {
  const t = useTranslations('access-lists')
  const field = fieldsOf(form)
  const search = useRemote('networkAliases')
  const [ip, alias] = useWatch({ name: ['ip', 'alias'] }) as [string | null, string | null]
  const chosen = record?.alias && record.aliasName ? [{ value: record.alias, label: record.aliasName }] : []
  return (
    <>
      <FormText mono name={field('ip')} label={t('ip')} hint={t('ipHint')} maxLength={64} disabled={!!alias && !ip} />
      <FormCombobox
        name={field('alias')}
        label={t('alias')}
        hint={t('aliasHint')}
        search={search}
        chosen={chosen}
        disabled={!!ip && !alias}
      />
      <div className="@container">
        <div className="grid gap-5 @min-[28rem]:grid-cols-2">
          <FormMoment name={field('dateFrom')} label={t('dateFrom')} hint={t('dateFromHint')} />
          <FormMoment name={field('dateTo')} label={t('dateTo')} hint={t('dateToHint')} />
        </div>
      </div>
      <FormTextarea name={field('comment')} label={t('comment')} rows={2} maxLength={255} />
    </>
  )
}

const empty = { ip: '', alias: null, dateFrom: null, dateTo: null, comment: '' }

/** The fields of an entry of the whitelist, with a warning if its dates exclude everybody. */
function WhitelistFields(of: { form: FormOf<Values>; record?: Entry | undefined }) {
  return (
    <>
      <EntryFields {...of} />
      <WhitelistEnd id={of.record?.id} />
    </>
  )
}

/** Adds an entry to the whitelist. */
export const NewWhitelistEntry = (props: Creating) => (
  <CreateForm contract={createWhitelistEntry} fields={WhitelistFields} empty={empty} toBody={toBody} {...props} />
)

/** Adds an entry to the blacklist. */
export const NewBlacklistEntry = (props: Creating) => (
  <CreateForm contract={createBlacklistEntry} fields={EntryFields} empty={empty} toBody={toBody} {...props} />
)

/** Edits an entry of a list. */
export function EditEntry({ list, ...of }: Editing<Entry> & { list: 'whitelist' | 'blacklist' }) {
  const { id: _, enabled: __, aliasName: ___, ip, ...rest } = of.record
  const values = { ip: ip ?? '', ...rest }
  const white = list === 'whitelist'
  return (
    <EditForm
      contract={white ? updateWhitelistEntry : updateBlacklistEntry}
      again={white ? createWhitelistEntry : createBlacklistEntry}
      fields={white ? WhitelistFields : EntryFields}
      values={values}
      toBody={toBody}
      {...of}
    />
  )
}
