'use client'

import { useTranslations } from 'next-intl'
import { bodyFields } from '@/components/form/field-name'
import { focused } from '@/components/form/focused'
import { TextField } from '@/components/form/text-field'
import { useErrorText } from '@/components/form/use-error-text'
import type { NameField } from '@/lib/fields/profile-fields/person-form'
import type { registrationComplete } from '@/lib/joining/registration/contract'

const tokens = { fio: 'name', lastName: 'family-name', firstName: 'given-name', middleName: 'additional-name' } as const

const field = bodyFields<typeof registrationComplete>()

export const nameFieldId = (code: NameField['code']) => `person-${code}`

type Props = {
  names: readonly NameField[]
  /** The initial values of the fields. */
  values?: Partial<Record<NameField['code'], string>>
  /** The error codes by field, and the function that removes one, from useSubmission. */
  errors: Record<string, string>
  forget: (field: string) => void
  /** The page opens with the focus in the first field. */
  opens?: boolean
}

/**
 * A person's name in one field or three, by the settings of the profile's fields. Their names are the codes of the
 * fields.
 */
export function NameFields({ names, values = {}, errors, forget, opens = false }: Props) {
  const t = useTranslations('person')
  const errorText = useErrorText()
  return names.map(({ code, title, required }, index) => (
    <TextField
      key={code}
      {...(opens && index === 0 && focused)}
      name={field(code)}
      id={nameFieldId(code)}
      size="L"
      label={required ? title : t('optional', { label: title })}
      hint={code === 'fio' ? t('fioHint') : undefined}
      error={errors[code] && errorText(errors[code])}
      defaultValue={values[code]}
      onChange={() => forget(code)}
      autoComplete={tokens[code]}
      autoCapitalize="words"
      spellCheck={false}
      enterKeyHint="next"
      maxLength={255}
    />
  ))
}

/** Returns the names in a submitted form, as the body of a call. */
export const typedNames = (names: readonly NameField[], data: FormData) =>
  Object.fromEntries(names.map(({ code }) => [code, String(data.get(code) ?? '').trim()])) as Partial<
    Record<NameField['code'], string>
  >

/** Returns the required names that are still empty. */
export const emptyNames = (names: readonly NameField[], data: FormData) =>
  names.flatMap(({ code, required }) =>
    required && String(data.get(code) ?? '').trim() === '' ? [{ field: code, code: 'errorEmpty' }] : [],
  )
