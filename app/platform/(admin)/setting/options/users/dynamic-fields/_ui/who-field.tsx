'use client'

import { useTranslations } from 'next-intl'
import { useController, useWatch } from 'react-hook-form'
import { CheckboxBox } from '@/components/form/checkbox-box'
import { FieldError } from '@/components/form/field-error'
import { useFieldId, useFormMethods } from '@/components/form/form'
import { type FieldValues, switchedFlags } from '@/lib/fields/dynamic-fields/rules'
import { FlagLegend, flagIcons } from './flags'
import { useKnownFields } from './known'
import type { Field } from './read-fields'
import { LackingWarning } from './value-count'
import type { Values } from './values'

const columns = ['visible', 'edit', 'required'] as const
const rows = {
  admin: { visible: 'adminVisible', edit: 'adminEdit', required: 'adminRequired' },
  profile: { visible: 'profileVisible', edit: 'profileEdit', required: 'profileRequired' },
  integration: { visible: null, edit: null, required: 'integrationRequired' },
} as const
type FlagName = Exclude<(typeof rows)[keyof typeof rows][(typeof columns)[number]], null>

type Props = { stored: Field | undefined; locked: (part: keyof FieldValues) => boolean }

/** Who sees a field, may change it and must fill it in. Checking a box also checks the boxes that it requires. */
export function WhoField({ stored, locked }: Props) {
  const t = useTranslations('dynamic-fields')
  const { type } = useKnownFields()
  const [fieldType, profileRequired] = useWatch<Values, ['fieldType', 'profileRequired']>({
    name: ['fieldType', 'profileRequired'],
  })
  const toggle = fieldType === 'toggle'
  // a save that changes the type clears the required flags
  const retyping = stored !== undefined && stored.fieldType !== fieldType
  const isLocked = (flag: FlagName) => locked(flag) || (flag.endsWith('Required') && (toggle || retyping))
  const anyLocked = Object.values(rows).some((flags) => Object.values(flags).some((flag) => flag && locked(flag)))
  const note = toggle ? 'whoToggle' : retyping ? 'whoRetyped' : 'whoHint'
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium text-table">{t('who')}</legend>
      <table className="w-full max-w-[24rem] text-table">
        <thead>
          <tr className="text-ink-second">
            <td />
            {columns.map((flag) => {
              const Icon = flagIcons[flag]
              return (
                <th key={flag} scope="col" className="w-16 pb-1 font-normal">
                  <Icon aria-hidden="true" className="mx-auto size-4" />
                  <span className="sr-only">{t(`flags.${flag}`)}</span>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {(['admin', 'profile', 'integration'] as const).map((side) => (
            <tr key={side}>
              <th scope="row" className="py-1 pr-3 text-left font-normal">
                {t(`heads.${side}`)}
              </th>
              {columns.map((column) => {
                const flag = rows[side][column]
                return (
                  <td key={column} className="h-9 text-center pointer-coarse:h-11">
                    {flag ? (
                      <FlagBox
                        name={flag}
                        label={t('flagOf', { who: t(`heads.${side}`), flag: t(`flags.${column}`) })}
                        disabled={isLocked(flag)}
                      />
                    ) : null}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <FlagLegend dots={false} />
      <p className="text-ink-second text-note">{t(note)}</p>
      {profileRequired && !stored?.profileRequired && type !== 'contractors' && fieldType !== 'picture' ? (
        <LackingWarning of={stored} />
      ) : null}
      {anyLocked ? <p className="text-ink-second text-note">{t('whoLocked')}</p> : null}
    </fieldset>
  )
}

function FlagBox({ name, label, disabled }: { name: FlagName; label: string; disabled: boolean }) {
  const id = useFieldId(name, label)
  const { setValue } = useFormMethods<Values>()
  const { field, fieldState } = useController<Values, FlagName>({ name })
  const error = fieldState.error?.message
  const choose = (isChecked: boolean) => {
    for (const [flag, value] of Object.entries(switchedFlags(name, isChecked)))
      setValue(flag as FlagName, value, { shouldDirty: true })
  }
  return (
    <span className="inline-grid justify-items-center gap-1">
      <CheckboxBox
        id={id}
        ref={field.ref}
        aria-label={label}
        checked={field.value === true}
        onCheckedChange={(checked) => choose(checked === true)}
        onBlur={field.onBlur}
        disabled={disabled}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      />
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </span>
  )
}
