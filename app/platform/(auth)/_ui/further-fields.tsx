'use client'

import { useTranslations } from 'next-intl'
import { Field } from '@/components/form/field'
import { bodyFields } from '@/components/form/field-name'
import { inputClasses } from '@/components/form/input-classes'
import { TextField } from '@/components/form/text-field'
import { useErrorText } from '@/components/form/use-error-text'
import { cn } from '@/components/ui/cn'
import { ChevronDown } from '@/components/ui/icons'
import type { registrationComplete } from '@/lib/entry/registration/contract'
import type { FurtherCode, FurtherField } from '@/lib/people/profile-fields/further-fields'

const tokens = { login: 'off', birthDate: 'bday', gender: 'sex', locale: 'language', comment: 'off' } as const

const field = bodyFields<typeof registrationComplete>()

const furtherFieldId = (code: FurtherCode) => `person-${code}`

type Props = {
  fields: readonly FurtherField[]
  /** The initial values of the fields. */
  values?: Partial<Record<FurtherCode, string>>
  /** The error codes by field, and the function that removes one, from useSubmission. */
  errors: Record<string, string>
  forget: (field: string) => void
}

/** The other required fields of the profile, so that no new account has an incomplete profile. */
export function FurtherFields({ fields, values = {}, errors, forget }: Props) {
  const t = useTranslations('person')
  const errorText = useErrorText()
  return fields.map(({ code, title, options }) => {
    const own = { label: title, id: furtherFieldId(code), error: errors[code] && errorText(errors[code]) }
    const shared = { name: field(code), defaultValue: values[code] ?? '', onChange: () => forget(code) }
    if (options)
      return (
        <Field key={code} {...own}>
          {(bound) => (
            <div className="relative">
              <select
                {...shared}
                {...bound}
                autoComplete={tokens[code]}
                className={cn(inputClasses, 'h-12 appearance-none pr-10')}
              >
                <option value="">{t('choose')}</option>
                {options.map((option) => (
                  <option key={option.code} value={option.code}>
                    {option.title}
                  </option>
                ))}
              </select>
              <ChevronDown className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-ink-second" />
            </div>
          )}
        </Field>
      )
    if (code === 'comment')
      return (
        <Field key={code} {...own}>
          {(bound) => (
            <textarea {...shared} {...bound} rows={4} maxLength={2000} className={cn(inputClasses, 'py-2.5')} />
          )}
        </Field>
      )
    return (
      <TextField
        key={code}
        {...own}
        {...shared}
        size="L"
        type={code === 'birthDate' ? 'date' : 'text'}
        min={code === 'birthDate' ? '1900-01-01' : undefined}
        autoComplete={tokens[code]}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={code === 'login' ? 64 : undefined}
      />
    )
  })
}

const typedIn = (data: FormData, code: FurtherCode) => String(data.get(code) ?? '').trim()

/** Returns the values of the fields of a submitted form, as the body of a call. */
export const typedFurther = (fields: readonly FurtherField[], data: FormData) =>
  Object.fromEntries(fields.map(({ code }) => [code, typedIn(data, code)])) as Partial<Record<FurtherCode, string>>

/** Returns the fields that are still empty. */
export const emptyFurther = (fields: readonly FurtherField[], data: FormData) =>
  fields.flatMap(({ code }) => (typedIn(data, code) === '' ? [{ field: code, code: 'errorEmpty' }] : []))

/** Returns the ids of the fields for the error summary. */
export const furtherAnchors = (fields: readonly FurtherField[]) =>
  fields.map(({ code, title }) => [code, { id: furtherFieldId(code), label: title }] as const)
