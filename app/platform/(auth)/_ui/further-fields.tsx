'use client'

import { useTranslations } from 'next-intl'
import { Field } from '@/components/form/field'
import { bodyFields, type FieldName } from '@/components/form/field-name'
import { inputClasses } from '@/components/form/input-classes'
import { TextField } from '@/components/form/text-field'
import { useErrorText } from '@/components/form/use-error-text'
import { cn } from '@/components/ui/cn'
import { ChevronDown } from '@/components/ui/icons'
import type { FurtherCode } from '@/lib/fields/profile-fields/further-fields'
import type { FieldView } from '@/lib/fields/values/definition'
import type { registrationComplete } from '@/lib/joining/registration/contract'

const tokens: Partial<Record<string, string>> = { birthDate: 'bday', gender: 'sex', locale: 'language' }
const types: Partial<Record<FieldView['fieldType'], string>> = { date: 'date', phone: 'tel', email: 'email' }

const field = bodyFields<typeof registrationComplete>()

/** Returns the name of a field in the call's body: dynamic ones are below `additionalInfo`. */
const nameOf = ({ code, base }: FieldView): FieldName<string | null | undefined> =>
  base ? field(code as FurtherCode) : (field(`additionalInfo.${code}`) as FieldName as FieldName<string>)

const furtherFieldId = ({ code }: FieldView) => `person-${code}`

const autoCompleteOf = ({ base, code, fieldType }: FieldView) =>
  (base ? tokens[code] : { phone: 'tel', email: 'email' }[fieldType as 'phone']) ?? 'off'

type Props = {
  fields: readonly FieldView[]
  /** The initial values of the fields. */
  values?: Partial<Record<FurtherCode, string>>
  /** The error codes by field, and the function that removes one, from useSubmission. */
  errors: Record<string, string>
  forget: (field: string) => void
}

/** The further required fields of the profile, so that no new account has an incomplete profile. */
export function FurtherFields({ fields, values = {}, errors, forget }: Props) {
  const errorText = useErrorText()
  return fields.map((field) => {
    const name = nameOf(field)
    const controlProps = {
      label: field.title,
      id: furtherFieldId(field),
      error: errors[name] && errorText(errors[name]),
    }
    const shared = {
      name,
      defaultValue: field.base ? (values[field.code as FurtherCode] ?? '') : '',
      onChange: () => forget(name),
      autoComplete: autoCompleteOf(field),
    }
    if (field.fieldType === 'dropbox' || field.fieldType === 'combobox')
      return (
        <Field key={name} {...controlProps}>
          {(bound) => <Choice field={field} control={{ ...shared, ...bound }} />}
        </Field>
      )
    if (field.fieldType === 'textarea')
      return (
        <Field key={name} {...controlProps}>
          {(bound) => (
            <textarea
              {...shared}
              {...bound}
              rows={4}
              maxLength={field.maxLength ?? 2000}
              className={cn(inputClasses, 'py-2.5')}
            />
          )}
        </Field>
      )
    return (
      <TextField
        key={name}
        {...controlProps}
        {...shared}
        size="L"
        type={types[field.fieldType] ?? 'text'}
        min={field.base && field.code === 'birthDate' ? '1900-01-01' : undefined}
        autoCapitalize={field.base ? 'none' : undefined}
        autoCorrect="off"
        spellCheck={false}
        maxLength={field.base && field.code === 'login' ? 64 : (field.maxLength ?? undefined)}
      />
    )
  })
}

type Control = { name: FieldName; id: string; defaultValue: string; onChange: () => void; autoComplete: string }

/** One option, or several as a list of checkboxes, which is easy to use on a phone too. */
function Choice({ field: { options, multiple, title }, control }: { field: FieldView; control: Control }) {
  const t = useTranslations('person')
  if (multiple) {
    const { id, name, onChange, ...bound } = control
    return (
      // biome-ignore lint/a11y/useSemanticElements: the label above names it
      <div
        id={id}
        role="group"
        tabIndex={-1}
        aria-label={title}
        aria-describedby={
          'aria-describedby' in bound ? String(bound['aria-describedby'] ?? '') || undefined : undefined
        }
        className="grid gap-1"
      >
        {options.map(({ code, title: text }) => (
          <label key={code} className="flex min-h-9 cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
            <input type="checkbox" name={name} value={code} onChange={onChange} className="size-5 accent-brand" />
            {text}
          </label>
        ))}
      </div>
    )
  }
  return (
    <div className="relative">
      <select {...control} className={cn(inputClasses, 'h-12 appearance-none pr-10')}>
        <option value="">{t('choose')}</option>
        {options.map(({ code, title: text }) => (
          <option key={code} value={code}>
            {text}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-ink-second" />
    </div>
  )
}

const isList = ({ multiple, fieldType }: FieldView) => multiple && (fieldType === 'dropbox' || fieldType === 'combobox')

const typedIn = (data: FormData, field: FieldView): string | string[] =>
  isList(field) ? data.getAll(nameOf(field)).map(String) : String(data.get(nameOf(field)) ?? '').trim()

const textsOf = (fields: readonly FieldView[], data: FormData) =>
  Object.fromEntries(fields.map((field) => [field.code, typedIn(data, field)]))

/** Returns the values of the fields of a submitted form, as the body of a call. */
export function typedFurther(fields: readonly FieldView[], data: FormData) {
  const dynamic = fields.filter(({ base }) => !base)
  const baseValues = textsOf(
    fields.filter(({ base }) => base),
    data,
  ) as Partial<Record<FurtherCode, string>>
  return { ...baseValues, ...(dynamic.length > 0 ? { additionalInfo: textsOf(dynamic, data) } : {}) }
}

/** Returns the fields that are still empty. */
export const emptyFurther = (fields: readonly FieldView[], data: FormData) =>
  fields.flatMap((field) => (typedIn(data, field).length === 0 ? [{ field: nameOf(field), code: 'errorEmpty' }] : []))

/** Returns the ids of the fields for the error summary. */
export const furtherAnchors = (fields: readonly FieldView[]) =>
  fields.map((field) => [nameOf(field) as string, { id: furtherFieldId(field), label: field.title }] as const)
