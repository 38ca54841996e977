'use client'

import { useTranslations } from 'next-intl'
import type { FieldName, RowFields } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormRows } from '@/components/form/form-rows'
import { FormText } from '@/components/form/form-text'
import { Alert } from '@/components/ui/alert'
import { itemCode, useMadeFrom } from './made-from'
import type { Field } from './read-fields'
import type { Values } from './values'

type Item = NonNullable<Values['items']>[number]
const most = 500

/** The items of a list, in their order. The codes of stored ones don't change, because values refer to them. */
export function ItemsField({
  name,
  stored,
}: {
  name: FieldName<readonly Item[] | undefined>
  stored: Field | undefined
}) {
  const t = useTranslations('dynamic-fields')
  const shipped = stored?.systemic === true
  // the items of the account's language are the languages of the domain
  if (shipped && stored.items.length === 0) return <Alert tone="info">{t('itemsOfDomain')}</Alert>
  const count = stored?.items.length ?? 0
  return (
    <FormRows
      name={name}
      label={t('items')}
      rowLabel={t('item')}
      hint={t(shipped ? 'itemsShipped' : 'itemsHint')}
      empty={() => ({ code: '', value: '', valueEn: '' })}
      min={shipped ? count : 0}
      max={shipped ? count : most}
      addLabel={t('addItem')}
      pasted="value"
      ordered={{
        heads: [t('itemValue'), t('itemValueEn'), t('code')],
        columns: '@min-[38rem]:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(0,2fr)]',
        fresh: 'value',
        rowOf: (value) => ({ code: itemCode(value), value, valueEn: '' }),
      }}
    >
      {(field) => <ItemFields field={field} />}
    </FormRows>
  )
}

function ItemFields({ field }: { field: RowFields<Item> }) {
  const t = useTranslations('dynamic-fields')
  const { getValues } = useFormMethods()
  const fresh = getValues(field('id')) === undefined
  useMadeFrom(field('value'), field('code'), itemCode, fresh)
  return (
    <>
      <FormText name={field('value')} label={t('itemValue')} maxLength={255} />
      <FormText name={field('valueEn')} label={t('itemValueEn')} maxLength={255} />
      <FormText mono name={field('code')} label={t('code')} maxLength={64} readOnly={!fresh} />
    </>
  )
}
