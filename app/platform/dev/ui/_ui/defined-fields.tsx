import { getLocale, getTranslations } from 'next-intl/server'
import { FieldValue } from '@/components/ui/field-value'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { type FieldType, type FieldView, fieldTypes, isFilled } from '@/lib/fields/values/definition'
import { DefinedForm, PictureSample } from './defined'

const samples: Partial<Record<FieldType, unknown>> = {
  input: 'ПЛ-004821',
  dropbox: 'logistics',
  combobox: ['ru', 'gone'],
  toggle: true,
  date: '2024-02-29',
  textarea: 'А\nБ',
  phone: '+79211234567',
}

/** Fields that administrators define, of every type: as text and as a form. A removed option is shown as its code. */
export async function DefinedFields() {
  const [t, locale] = await Promise.all([getTranslations('gallery.defined'), getLocale()])
  const options = {
    dropbox: ['logistics', 'finance'] as const,
    combobox: ['ru', 'en', 'de'] as const,
  }
  const fields = fieldTypes
    .filter((type) => type !== 'picture')
    .map(
      (fieldType): FieldView => ({
        code: fieldType,
        base: false,
        title: t(`types.${fieldType}`),
        fieldType,
        multiple: fieldType === 'combobox',
        required: fieldType === 'email',
        pattern: null,
        minLength: null,
        maxLength: null,
        latin: false,
        options:
          fieldType === 'dropbox' || fieldType === 'combobox'
            ? options[fieldType].map((code) => ({
                code,
                title: fieldType === 'dropbox' ? t(`options.${code as 'logistics'}`) : languageOf(code, locale),
              }))
            : [],
      }),
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 @min-[56rem]:grid-cols-2">
      <KeyValues>
        {fields.map((field) => (
          <KeyValue key={field.code} label={field.title} {...(field.required ? { missing: t('missing') } : {})}>
            {isFilled(samples[field.fieldType]) ? <FieldValue field={field} value={samples[field.fieldType]} /> : null}
          </KeyValue>
        ))}
        <KeyValue label={t('types.picture')}>
          <PictureSample title={t('types.picture')} missing={t('missing')} />
        </KeyValue>
      </KeyValues>
      <DefinedForm fields={fields} stored={samples} verb={t('save')} />
    </div>
  )
}

const languageOf = (code: string, locale: string) =>
  new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code
