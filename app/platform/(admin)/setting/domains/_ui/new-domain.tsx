'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormSwitch } from '@/components/form/form-choice'
import { FormSelect } from '@/components/form/form-select'
import { FormText } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { useRead } from '@/components/form/use-read'
import { DialogBody } from '@/components/ui/dialog'
import { PartFailed } from '@/components/ui/part-failed'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/lib/base/http/client'
import { createDomain } from '@/lib/site/domains/contract'
import { searchLocales } from '@/lib/site/locales/contract'
import { emptyLocale } from '../[id]/_ui/values'

type Values = Pick<Required<BodyOf<typeof createDomain>>, 'type' | 'comment' | 'baseSettings'> & {
  host: string
  projectTitle: string
}

/**
 * converts the dialog's values to a whole domain: the title is also the name beside the emblem, and nothing empty is
 * sent
 */
const bodyIn =
  (localeId: string) =>
  ({ host, projectTitle, ...values }: Values): BodyOf<typeof createDomain> => {
    const { settings, ...row } = emptyLocale(localeId)
    const locale = { ...row, settings: { ...settings, projectTitle, projectName: projectTitle } }
    return { ...values, aliases: host.trim() === '' ? [] : [host], locales: values.baseSettings ? [] : [locale] }
  }

const fieldOf = (field: string) =>
  field.startsWith('aliases') ? 'host' : field.startsWith('locales') ? 'projectTitle' : field

function Fields({ form }: { form: FormOf<Values> }) {
  const t = useTranslations('domains')
  const field = fieldsOf(form)
  const [type, baseSettings] = useWatch({ name: ['type', 'baseSettings'] })
  return (
    <>
      <FormSelect
        name={field('type')}
        label={t('type')}
        hint={t(type === 'draft' ? 'draftHint' : 'otherHint')}
        options={(['other', 'draft'] as const).map((value) => ({ value, label: t(`types.${value}`) }))}
      />
      <FormText
        mono
        name={field('host')}
        label={t('host')}
        hint={t(type === 'draft' ? 'hostDraftHint' : 'hostHint')}
        placeholder="partners.example.com"
        maxLength={255}
      />
      <FormText name={field('comment')} label={t('comment')} hint={t('commentHint')} maxLength={255} />
      <FormSwitch name={field('baseSettings')} label={t('baseSettings')} hint={t('baseSettingsHint')} />
      {baseSettings ? null : (
        <FormText name={field('projectTitle')} label={t('projectTitle')} hint={t('firstTitleHint')} maxLength={100} />
      )}
    </>
  )
}

function Create({ russian }: { russian: string }) {
  const router = useRouter()
  const tu = useTranslations('ui')
  const form = useContractForm<typeof createDomain, Values>(createDomain, {
    defaultValues: { type: 'other', host: '', comment: '', baseSettings: false, projectTitle: '' },
    toBody: bodyIn(russian),
    fieldOf,
    // the rest of it is on its page
    onDone: ({ id }) => router.push(`/platform/setting/domains/${id}`),
  })
  return (
    <DialogForm form={form} verb={tu('create')}>
      <Fields form={form} />
    </DialogForm>
  )
}

/** Creates a domain, in Russian at first, and opens its page. */
export function NewDomain() {
  const { read: russian, retry } = useRead(async () => {
    const { locales } = await call(searchLocales, { query: {} })
    return (locales.find(({ code }) => code === 'ru') ?? locales[0])?.id ?? 'failed'
  })
  if (russian && russian !== 'failed') return <Create russian={russian} />
  return (
    <DialogBody className="grid gap-5">
      {russian === 'failed' ? (
        <PartFailed retry={retry} />
      ) : (
        [1, 2, 3].map((row) => <Skeleton key={row} className="h-10" />)
      )}
    </DialogBody>
  )
}
