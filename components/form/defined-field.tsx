'use client'

import { useMemo } from 'react'
import type { FieldView } from '@/lib/fields/values/definition'
import { definedName } from './defined-values'
import { FormSwitch } from './form-choice'
import { FormCombobox } from './form-combobox'
import { FormSelect } from './form-select'
import { FormDate, FormText, FormTextarea } from './form-text'
import { searchIn } from './use-search'

const autoComplete: Partial<Record<string, string>> = {
  fio: 'name',
  lastName: 'family-name',
  firstName: 'given-name',
  middleName: 'additional-name',
  birthDate: 'bday',
  login: 'username',
}

/**
 * The control of a field that administrators define, by its type. A picture has none, because it is uploaded as a file.
 * It must be in a Form whose values have it under `definedName`.
 */
export function DefinedField({ field }: { field: FieldView }) {
  const { code, base, title, hint, fieldType, multiple, options, required, maxLength } = field
  const choices = useMemo(() => options.map((option) => ({ value: option.code, label: option.title })), [options])
  const search = useMemo(() => searchIn(choices), [choices])
  const name = definedName(field)
  const commonProps = { name, label: title, ...(hint ? { hint } : {}) }
  const text = { ...commonProps, autoComplete: (base && autoComplete[code]) || 'off' }
  switch (fieldType) {
    case 'picture':
      return null
    case 'toggle':
      return <FormSwitch {...commonProps} />
    case 'date':
      return <FormDate {...text} min={base ? '1900-01-01' : '1000-01-01'} max="9999-12-31" />
    case 'textarea':
      return <FormTextarea {...commonProps} maxLength={maxLength ?? 2000} />
    case 'phone':
      return <FormText {...text} type="tel" inputMode="tel" maxLength={base ? 32 : 64} />
    case 'email':
      return <FormText {...text} type="email" inputMode="email" maxLength={254} />
    case 'dropbox':
    case 'combobox':
      if (multiple) return <FormCombobox multiple {...commonProps} search={search} chosen={choices} />
      if (fieldType === 'combobox') return <FormCombobox {...commonProps} search={search} chosen={choices} />
      return <FormSelect {...commonProps} options={choices} clearable={!required} />
    default:
      return <FormText {...text} maxLength={maxLength ?? 255} />
  }
}
