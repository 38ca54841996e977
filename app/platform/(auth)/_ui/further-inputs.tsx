import { useTranslations } from 'next-intl'
import { inputClasses } from '@/components/form/input-classes'
import { useErrorText } from '@/components/form/use-error-text'
import { PlainField, plainControl } from '@/components/plain/plain-field'
import { TextInput } from '@/components/plain/text-input'
import { cn } from '@/components/ui/cn'
import { ChevronDown } from '@/components/ui/icons'
import { type FieldView, isChosen } from '@/lib/fields/values/definition'
import { furtherName } from '@/lib/joining/forms/person'
import type { FormFailure } from './form-failure'

const tokens: Partial<Record<string, string>> = { birthDate: 'bday', gender: 'sex', locale: 'language' }
const types: Partial<Record<FieldView['fieldType'], string>> = { date: 'date', phone: 'tel', email: 'email' }

const idOf = ({ code }: FieldView) => `person-${code}`

const autoCompleteOf = ({ base, code, fieldType }: FieldView) =>
  (base ? tokens[code] : { phone: 'tel', email: 'email' }[fieldType as 'phone']) ?? 'off'

/** The further fields, for the summary above their form. */
export const furtherLabels = (fields: readonly FieldView[]) =>
  Object.fromEntries(fields.map((field) => [furtherName(field), { id: idOf(field), label: field.title }]))

type Props = {
  fields: readonly FieldView[]
  /** The language of the page, which is offered as the person's. */
  locale: string
  failed: FormFailure | null
}

/** The further required fields of the profile, so that no new account has an incomplete profile. */
export function FurtherInputs({ fields, locale, failed }: Props) {
  const errorText = useErrorText()
  return fields.map((field) => {
    const name = furtherName(field)
    const id = idOf(field)
    const fault = failed?.errors[name]
    const error = fault && errorText(fault)
    const common = {
      name,
      defaultValue: failed?.typed(name) ?? (field.base && field.code === 'locale' ? locale : ''),
      autoComplete: autoCompleteOf(field),
    }
    if (isChosen(field) && field.multiple)
      return <Options key={name} id={id} name={name} field={field} error={error} failed={failed} />
    if (isChosen(field))
      return (
        <PlainField key={name} id={id} label={field.title} error={error}>
          <Choice field={field} control={{ ...common, ...plainControl(id, error) }} />
        </PlainField>
      )
    if (field.fieldType === 'textarea')
      return (
        <PlainField key={name} id={id} label={field.title} error={error}>
          <textarea
            {...common}
            {...plainControl(id, error)}
            rows={4}
            maxLength={field.maxLength ?? 2000}
            className={cn(inputClasses, 'py-2.5')}
          />
        </PlainField>
      )
    return (
      <TextInput
        key={name}
        {...common}
        id={id}
        label={field.title}
        error={error}
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

type Control = ReturnType<typeof plainControl> & { name: string; defaultValue: string; autoComplete: string }

function Choice({ field: { options }, control }: { field: FieldView; control: Control }) {
  const t = useTranslations('person')
  return (
    <div className="relative">
      <select {...control} className={cn(inputClasses, 'h-12 appearance-none pr-10')}>
        <option value="">{t('choose')}</option>
        {options.map(({ code, title }) => (
          <option key={code} value={code}>
            {title}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-ink-second" />
    </div>
  )
}

type OptionsProps = {
  id: string
  name: string
  field: FieldView
  error: string | undefined
  failed: FormFailure | null
}

/** Several options as a list of checkboxes, which is easy to use on a phone too. */
const Options = ({ id, name, field: { options, title }, error, failed }: OptionsProps) => (
  <PlainField id={id} label={title} error={error}>
    {/* biome-ignore lint/a11y/useSemanticElements: the label above names it */}
    <div
      id={id}
      role="group"
      tabIndex={-1}
      aria-label={title}
      aria-describedby={error && `${id}-error`}
      className="grid gap-1"
    >
      {options.map(({ code, title: text }) => (
        <label key={code} className="flex min-h-9 cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            name={name}
            value={code}
            defaultChecked={failed?.has(name, code)}
            className="size-5 accent-brand"
          />
          {text}
        </label>
      ))}
    </div>
  </PlainField>
)
