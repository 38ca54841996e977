'use client'

import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { sends } from '@/components/form/actions'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormLocales } from '@/components/form/form-locales'
import { FormSelect } from '@/components/form/form-select'
import { FormText, FormTextarea } from '@/components/form/form-text'
import type { KnownLocale } from '@/components/form/known-locale'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { useRead } from '@/components/form/use-read'
import { useRemote } from '@/components/form/use-remote'
import type { Option } from '@/components/form/use-search'
import { DialogBody } from '@/components/ui/dialog'
import { PartFailed } from '@/components/ui/part-failed'
import { Skeleton } from '@/components/ui/skeleton'
import type { CallInput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'
import { createNewsItem, type NewsItem, type NewsText, readNewsItem, updateNewsItem } from '@/lib/news/news/contract'
import { type Audience, audiences } from '@/lib/news/news/kinds'
import { searchLocales } from '@/lib/site/locales/contract'

/** Each audience keeps its own choice, so that switching audiences loses nothing. */
type Values = Record<Exclude<Audience, 'all'>, string | null> & {
  audience: Audience
  locales: NewsText[]
  updatedAt?: string
}
type Body = CallInput<typeof createNewsItem>['body']
type Offered = { offered: readonly Audience[] }
type Read = { locales: KnownLocale[]; news: NewsItem | null }

const noChoice = { role: null, contractor: null, organization: null, domain: null }

const bodyOf = ({ audience, locales, ...chosen }: Values): Body => ({
  audience,
  audienceId: audience === 'all' ? null : chosen[audience],
  locales,
})

/** Reads the languages, and the news to edit; null while they load. */
const useNews = (id?: string) =>
  useRead<Read>(async () => {
    const [{ locales }, news] = await Promise.all([
      call(searchLocales, { query: {} }),
      id ? call(readNewsItem, { params: { id } }) : null,
    ])
    return { locales, news }
  }, [id])

/** Names the audience's fault at the field that is shown. */
function useFieldOf() {
  const current = useRef<Audience>('all')
  return {
    note: (audience: Audience) => {
      current.current = audience
    },
    fieldOf: (fault: string) => (fault === 'audienceId' && current.current !== 'all' ? current.current : fault),
  }
}

type FieldsProps = { form: ContractForm<Values>; locales: KnownLocale[]; chosen: Option[] } & Offered

function NewsFields({ form, locales, offered, chosen }: FieldsProps) {
  const t = useTranslations('news')
  const field = fieldsOf(form)
  const audience: Audience = useWatch({ name: 'audience' })
  const role = useRemote('roles')
  const contractor = useRemote('contractors')
  const organization = useRemote('organizations')
  const domain = useRemote('domains')
  const searches = { role, contractor, organization, domain }
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <FormSelect
          name={field('audience')}
          label={t('audience')}
          hint={audience === 'domain' ? t('domainHint') : undefined}
          options={audiences
            .filter((candidate) => offered.includes(candidate) || candidate === audience)
            .map((value) => ({ value, label: t(`audiences.${value}`) }))}
        />
        {audience === 'all' ? null : (
          <FormCombobox
            key={audience}
            name={field(audience)}
            label={t(`audiences.${audience}`)}
            search={searches[audience]}
            chosen={chosen}
          />
        )}
      </div>
      <FormLocales
        name={field('locales')}
        label={t('texts')}
        locales={locales}
        empty={(localeId) => ({ localeId, title: '', text: '' })}
        state={(_, { code }) => (code === 'ru' ? t('main') : undefined)}
      >
        {(row) => (
          <>
            <FormText name={row('title')} label={t('title')} maxLength={200} />
            <FormTextarea name={row('text')} label={t('text')} hint={t('textHint')} rows={8} maxLength={4000} />
          </>
        )}
      </FormLocales>
    </>
  )
}

function Create({ locales, offered, onDone }: Read & Offered & { onDone: (created: Created) => void }) {
  const tu = useTranslations('ui')
  const { note, fieldOf } = useFieldOf()
  const first = locales.find(({ code }) => code === 'ru') ?? locales[0]
  const form: ContractForm<Values> = useContractForm<typeof createNewsItem, Values>(createNewsItem, {
    defaultValues: { ...noChoice, audience: 'all', locales: [{ localeId: first?.id ?? '', title: '', text: '' }] },
    toBody: (values) => {
      note(values.audience)
      return bodyOf(values)
    },
    fieldOf,
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('create')}>
      <NewsFields form={form} locales={locales} offered={offered} chosen={[]} />
    </DialogForm>
  )
}

type EditProps = Read & Offered & { news: NewsItem; onDone: () => void }

function Edit({ locales, news, offered, onDone }: EditProps) {
  const tu = useTranslations('ui')
  const t = useTranslations('news')
  const { note, fieldOf } = useFieldOf()
  const { id, audience, audienceId, audienceName, locales: texts, updatedAt } = news
  const form: ContractForm<Values> = useContractForm<typeof updateNewsItem, Values>(updateNewsItem, {
    parts: { params: { id } },
    defaultValues: {
      ...noChoice,
      ...(audience === 'all' ? {} : { [audience]: audienceId }),
      audience,
      locales: texts,
      updatedAt,
    },
    toBody: (values) => {
      note(values.audience)
      return { ...bodyOf(values), ...(values.updatedAt ? { updatedAt: values.updatedAt } : {}) }
    },
    fieldOf,
    again: ({ updatedAt: _, ...body }) => sends(createNewsItem, { body }),
    onDone,
  })
  const chosen = audienceId ? [{ value: audienceId, label: audienceName ?? t('notSeen') }] : []
  return (
    <DialogForm form={form} verb={tu('save')}>
      <NewsFields form={form} locales={locales} offered={offered} chosen={chosen} />
    </DialogForm>
  )
}

function FormSkeleton({ failed, retry }: { failed: boolean; retry: () => void }) {
  return (
    <DialogBody className="grid gap-5">
      {failed ? <PartFailed retry={retry} /> : [1, 2, 3, 4].map((row) => <Skeleton key={row} className="h-10" />)}
    </DialogBody>
  )
}

/** Creates news as a draft. */
export function NewNews({ offered, onDone }: Offered & { onDone: (created?: Created) => void }) {
  const { read, retry } = useNews()
  if (!read || read === 'failed') return <FormSkeleton failed={read === 'failed'} retry={retry} />
  return <Create {...read} offered={offered} onDone={onDone} />
}

/** Edits a draft. */
export function EditNews({ id, offered, onDone }: Offered & { id: string; onDone: () => void }) {
  const { read, retry } = useNews(id)
  if (!read || read === 'failed' || !read.news) return <FormSkeleton failed={read === 'failed'} retry={retry} />
  return <Edit {...read} news={read.news} offered={offered} onDone={onDone} />
}
