'use client'

import { useLocale, useTranslations } from 'next-intl'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { localName } from '@/lib/base/i18n/local-name'
import { hasItems, hasText, mayBeUnique } from '@/lib/fields/dynamic-fields/rules'
import { useKnownFields } from './known'
import type { Field } from './read-fields'
import { CountedValues } from './value-count'

/** A definition as text, for people who may not change it. */
export function FieldFacts({ field }: { field: Field }) {
  const t = useTranslations('dynamic-fields')
  const tu = useTranslations('ui.list')
  const locale = useLocale()
  const { tabs } = useKnownFields()
  const block = tabs.flatMap(({ blocks }) => blocks).find(({ code }) => code === field.subtype)
  const yesNo = (value: boolean) => tu(value ? 'yes' : 'no')
  const flagsText = (side: 'admin' | 'profile') => {
    const [visible, edit, required] = [field[`${side}Visible`], field[`${side}Edit`], field[`${side}Required`]]
    const flags = [visible && 'visible', edit && 'edit', required && 'required'] as const
    return flags.flatMap((flag) => (flag ? [t(`flags.${flag}`)] : [])).join(', ') || t('flags.none')
  }
  const items = field.items.map((item) =>
    localName({ title: item.value, titleEn: item.valueEn, code: item.code }, locale),
  )
  return (
    <>
      <p className="text-ink-second text-table">
        {field.systemic ? t('shippedField') : <CountedValues type={field.type} id={field.id} />}
      </p>
      <KeyValues>
        <KeyValue label={t('title')}>{field.title}</KeyValue>
        <KeyValue label={t('titleEn')}>{field.titleEn}</KeyValue>
        <KeyValue label={t('code')}>
          <code className="break-all font-mono text-table">{field.code}</code>
        </KeyValue>
        <KeyValue label={t('fieldType')}>{t(`fieldTypes.${field.fieldType}`)}</KeyValue>
        <KeyValue label={t('block')}>{block ? localName(block, locale) : field.subtype}</KeyValue>
        <KeyValue label={t('heads.admin')}>{flagsText('admin')}</KeyValue>
        <KeyValue label={t('heads.profile')}>{flagsText('profile')}</KeyValue>
        <KeyValue label={t('heads.integration')}>
          {t(field.integrationRequired ? 'flags.required' : 'flags.optional')}
        </KeyValue>
        {mayBeUnique(field) ? <KeyValue label={t('unique')}>{yesNo(field.unique)}</KeyValue> : null}
        {hasItems(field) ? (
          <>
            <KeyValue label={t('multiple')}>{yesNo(field.multiple)}</KeyValue>
            <KeyValue label={t('items')}>{items.join(', ')}</KeyValue>
          </>
        ) : null}
        {hasText(field) ? (
          <>
            <KeyValue label={t('lengths')}>
              {field.minLength === null && field.maxLength === null
                ? null
                : t('lengthsOf', { min: String(field.minLength ?? 0), max: String(field.maxLength ?? 'none') })}
            </KeyValue>
            <KeyValue label={t('pattern')}>
              {field.pattern ? <code className="break-all font-mono text-table">{field.pattern}</code> : null}
            </KeyValue>
            <KeyValue label={t('latin')}>{yesNo(field.latin)}</KeyValue>
          </>
        ) : null}
        <KeyValue label={t('comment')}>{field.comment}</KeyValue>
      </KeyValues>
    </>
  )
}
