'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useCallback, useEffect, useState } from 'react'
import { sends } from '@/components/form/actions'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormSelect } from '@/components/form/form-select'
import { FormText } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { call } from '@/lib/base/http/client'
import { localName } from '@/lib/base/i18n/local-name'
import { createSubtype, searchPersonnelActionTypes, updateSubtype } from '@/lib/fields/dynamic-fields/contract'
import { type KnownBlock, useKnownFields } from './known'
import { fieldCode, useMadeFrom } from './made-from'

type Values = BodyOf<typeof createSubtype>

/** Creates a block in the open tab. */
export function NewBlock({ onDone }: { onDone: (created: Created) => void }) {
  const tu = useTranslations('ui')
  const { type, tab } = useKnownFields()
  const form = useContractForm(createSubtype, {
    parts: { params: { type } },
    defaultValues: { active: true, title: '', titleEn: '', code: '', tab },
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('create')}>
      {type === 'personnel-actions' ? <ActionType form={form} /> : <Names form={form} />}
    </DialogForm>
  )
}

/** Edits a block; with shipped fields it stays in its tab. */
export function EditBlock({ block, shipped, onDone }: { block: KnownBlock; shipped: boolean; onDone: () => void }) {
  const t = useTranslations('dynamic-fields')
  const tu = useTranslations('ui')
  const locale = useLocale()
  const { type, tabs } = useKnownFields()
  const { active, title, titleEn, code, tab, updatedAt } = block
  const params = { type }
  const form = useContractForm(updateSubtype, {
    parts: { params },
    defaultValues: { active, title, titleEn: titleEn ?? '', code, tab, updatedAt },
    again: ({ updatedAt: _, ...body }) => sends(createSubtype, { params, body }),
    onDone,
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={tu('save')}>
      <FormText name={field('title')} label={t('title')} maxLength={100} />
      <FormText name={field('titleEn')} label={t('titleEn')} hint={t('titleEnHint')} maxLength={100} />
      <FormText mono readOnly name={field('code')} label={t('code')} hint={t('blockCodeFixed')} />
      {tabs.length > 1 ? (
        <FormSelect
          name={field('tab')}
          label={t('tab')}
          options={tabs.map((each) => ({ value: each.id, label: localName(each, locale) }))}
          disabled={shipped}
          hint={shipped ? t('whyShippedFields') : undefined}
        />
      ) : null}
    </DialogForm>
  )
}

function Names({ form }: { form: FormOf<Values> }) {
  const t = useTranslations('dynamic-fields')
  const field = fieldsOf(form)
  useMadeFrom('title', 'code', fieldCode)
  return (
    <>
      <FormText name={field('title')} label={t('title')} maxLength={100} />
      <FormText name={field('titleEn')} label={t('titleEn')} hint={t('titleEnHint')} maxLength={100} />
      <FormText mono name={field('code')} label={t('code')} hint={t('blockCodeHint')} maxLength={64} />
    </>
  )
}

type ActionTypes = { code: string; name: string; nameEn: string | null }[]

/** A block of personnel actions is one of their types that has no block yet. */
function ActionType({ form }: { form: FormOf<Values> }) {
  const t = useTranslations('dynamic-fields')
  const locale = useLocale()
  const field = fieldsOf(form)
  const [types, setTypes] = useState<ActionTypes | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    call(searchPersonnelActionTypes, { query: { type: 'personnel-actions' } }, { signal: abort.signal }).then(
      (answer) => setTypes(answer.types),
      () => abort.signal.aborted || setTypes([]),
    )
    return () => abort.abort()
  }, [])
  const nameOf = useCallback((code: string) => types?.find((type) => type.code === code)?.name ?? '', [types])
  const nameEnOf = useCallback((code: string) => types?.find((type) => type.code === code)?.nameEn ?? '', [types])
  useMadeFrom('code', 'title', nameOf)
  useMadeFrom('code', 'titleEn', nameEnOf)
  const hint = types === null ? t('actionTypesReading') : t(types.length > 0 ? 'actionTypeHint' : 'actionTypesUsed')
  return (
    <>
      <FormSelect
        name={field('code')}
        label={t('actionType')}
        hint={hint}
        options={(types ?? []).map((type) => ({ value: type.code, label: localName(type, locale) }))}
        disabled={types === null || types.length === 0}
      />
      <FormText name={field('title')} label={t('title')} maxLength={100} />
      <FormText name={field('titleEn')} label={t('titleEn')} hint={t('titleEnHint')} maxLength={100} />
    </>
  )
}
