'use client'

import { useTranslations } from 'next-intl'
import { useController } from 'react-hook-form'
import { CheckboxBox } from '@/components/form/checkbox-box'
import { FieldError } from '@/components/form/field-error'
import { useFieldId } from '@/components/form/form'
import { TriangleAlert } from '@/components/ui/icons'
import { identifierKinds, type IdentifierKind as Kind } from './identifier-kinds'
import { field as fieldName } from './values'

type Limits = Record<string, Kind[]>
export type DeviceType = { id: string; name: string; code: string }

type Props = { types: readonly DeviceType[]; offered: readonly Kind[] }

/** By which identifiers people may sign in on each type of device; a type without a limit accepts all. */
export function DevicesTab({ types, offered }: Props) {
  const t = useTranslations('domains')
  const name = fieldName('devicesIdAttributes')
  const kindsText = (kinds: readonly Kind[]) =>
    kinds.length > 0 ? kinds.map((kind) => t(`kinds.${kind}`)).join(', ') : t('noKinds')
  const id = useFieldId(name, t('devicesIdAttributes'), {
    show: (value) =>
      Object.entries((value ?? {}) as Limits)
        .map(([type, kinds]) => `${types.find((item) => item.id === type)?.name ?? type}: ${kindsText(kinds)}`)
        .join('\n'),
  })
  const { field, fieldState } = useController({ name })
  const limits: Limits = field.value ?? {}
  const error = fieldState.error?.message
  const change = (type: string, kind: Kind, isChecked: boolean) => {
    const { [type]: before = [...identifierKinds], ...rest } = limits
    const next = identifierKinds.filter((item) => (item === kind ? isChecked : before.includes(item)))
    field.onChange(next.length === identifierKinds.length ? rest : { ...rest, [type]: next })
  }
  return (
    <fieldset className="grid gap-4" aria-describedby={`${id}-hint`}>
      <legend className="mb-2 font-medium text-table">{t('devicesIdAttributes')}</legend>
      <p id={`${id}-hint`} className="text-ink-second text-note">
        {t('devicesHint')}
      </p>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {types.map((type, row) => {
          const kinds = limits[type.id] ?? identifierKinds
          const allowed = kinds.filter((kind) => offered.includes(kind))
          return (
            <li key={type.id} className="grid gap-2.5 px-4 py-3.5">
              <fieldset className="grid gap-2.5">
                <legend className="mb-2.5 font-medium">{type.name}</legend>
                <div className="flex flex-wrap gap-x-6 gap-y-2.5">
                  {identifierKinds.map((kind, index) => (
                    <label
                      key={kind}
                      htmlFor={row === 0 && index === 0 ? id : `${id}-${type.id}-${kind}`}
                      className="flex cursor-pointer items-center gap-2.5"
                    >
                      <CheckboxBox
                        id={row === 0 && index === 0 ? id : `${id}-${type.id}-${kind}`}
                        checked={kinds.includes(kind)}
                        onCheckedChange={(checked) => change(type.id, kind, checked === true)}
                      />
                      {t(`kinds.${kind}`)}
                    </label>
                  ))}
                </div>
              </fieldset>
              {allowed.length === 0 ? (
                <p className="flex gap-1.5 text-note text-warning">
                  <TriangleAlert className="mt-px size-4 shrink-0" />
                  {t('nothingLeft')}
                </p>
              ) : null}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
