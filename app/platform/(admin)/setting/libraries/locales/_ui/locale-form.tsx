'use client'

import { useTranslations } from 'next-intl'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm, type Editing } from '@/components/form/record-forms'
import type { FormOf } from '@/components/form/use-contract-form'
import { createLocale, type Locale, updateLocale } from '@/lib/site/locales/contract'

type Props = { form: FormOf<BodyOf<typeof createLocale>>; record?: Locale | undefined }

function LocaleFields({ form, record }: Props) {
  const t = useTranslations('locales')
  const field = fieldsOf(form)
  const locked = record?.immutable
  return (
    <>
      <FormText name={field('name')} label={t('name')} hint={t('nameHint')} maxLength={64} />
      <FormText
        mono
        name={field('code')}
        label={t('code')}
        hint={t(locked ? 'shippedHint' : 'codeHint')}
        maxLength={3}
        readOnly={locked}
      />
    </>
  )
}

const empty = { name: '', code: '' }

/** Adds a language. */
export const NewLocale = (props: Creating) => (
  <CreateForm contract={createLocale} fields={LocaleFields} empty={empty} {...props} />
)

/** Edits a language. */
export function EditLocale(of: Editing<Locale>) {
  const { name, code, updatedAt } = of.record
  const values = { name, code, updatedAt }
  return <EditForm contract={updateLocale} again={createLocale} fields={LocaleFields} values={values} {...of} />
}
