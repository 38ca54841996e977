'use client'

import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { deleteLocale, enableLocale, type Locale } from '@/lib/site/locales/contract'
import { EditLocale } from './locale-form'

/** The actions for a language: edit, switch and delete it. */
export function LocaleMenu({ locale, name }: { locale: Locale; name: string }) {
  const t = useTranslations('locales')
  const { id, enabled, updatedAt, immutable, domainsCount: count } = locale
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('editTitle', { name }),
          form: (done) => <EditLocale record={locale} onDone={done} />,
        },
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
