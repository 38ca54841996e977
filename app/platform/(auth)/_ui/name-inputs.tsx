import { useTranslations } from 'next-intl'
import { focused } from '@/components/form/focused'
import { useErrorText } from '@/components/form/use-error-text'
import { TextInput } from '@/components/plain/text-input'
import type { NameField } from '@/lib/fields/profile-fields/person-form'
import type { FormFailure, Typed } from './form-failure'

const tokens = { fio: 'name', lastName: 'family-name', firstName: 'given-name', middleName: 'additional-name' } as const

const idOf = (code: NameField['code']) => `person-${code}`

/** The fields of a name, for the summary above their form. */
export const nameLabels = (names: readonly NameField[]) =>
  Object.fromEntries(names.map(({ code, title }) => [code, { id: idOf(code), label: title }]))

type Props = {
  names: readonly NameField[]
  /** What was typed before. */
  typed: Typed['typed']
  failed: FormFailure | null
  /** The page opens with the focus in the first field. */
  opens?: boolean
}

/**
 * A person's name in one field or three, by the settings of the profile's fields. Their names are the codes of the
 * fields.
 */
export function NameInputs({ names, typed, failed, opens = false }: Props) {
  const t = useTranslations('person')
  const errorText = useErrorText()
  return names.map(({ code, title, required }, index) => {
    const fault = failed?.errors[code]
    return (
      <TextInput
        key={code}
        {...(opens && index === 0 && focused)}
        name={code}
        id={idOf(code)}
        label={required ? title : t('optional', { label: title })}
        hint={code === 'fio' ? t('fioHint') : undefined}
        error={fault && errorText(fault)}
        defaultValue={typed(code)}
        autoComplete={tokens[code]}
        autoCapitalize="words"
        spellCheck={false}
        enterKeyHint="next"
        maxLength={255}
      />
    )
  })
}
