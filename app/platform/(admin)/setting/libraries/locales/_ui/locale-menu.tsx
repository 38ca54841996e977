'use client'

import { useTranslations } from 'next-intl'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm } from '@/components/form/record-forms'
import { RowActions } from '@/components/form/row-actions'
import type { FormOf } from '@/components/form/use-contract-form'
import { createLocale, deleteLocale, enableLocale, type Locale, updateLocale } from '@/lib/site/locales/contract'

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

/** The actions for a language: edit, switch and delete it. */
export function LocaleMenu({ locale, name }: { locale: Locale; name: string }) {
  const t = useTranslations('locales')
  const { id, enabled, immutable, domainsCount: count, code, updatedAt } = locale
  const values = { name: locale.name, code, updatedAt }
  const edit = { contract: updateLocale, again: createLocale, fields: LocaleFields, values, record: locale }
  return (
    <RowActions
      row={name}
      actions={[
        { kind: 'edit', title: t('editTitle', { name }), form: (onDone) => <EditForm {...edit} onDone={onDone} /> },
        {
          kind: 'toggle',
          contract: enableLocale,
          id,
          enabled,
          updatedAt,
          ask: {
            on: { title: t('onTitle', { name }), text: t('onText'), tone: 'primary' },
            off: { title: t('offTitle', { name }), text: t('offText', { count }), tone: 'danger' },
          },
        },
        !immutable && {
          kind: 'remove',
          contract: deleteLocale,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
        },
      ]}
    />
  )
}
