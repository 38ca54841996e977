'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { DurationBox, numberFrom } from '@/components/form/duration-box'
import { inputClasses } from '@/components/form/input-classes'
import { SwitchBox } from '@/components/form/switch-box'
import type { Option } from '@/components/form/use-search'
import { cn } from '@/components/ui/cn'
import { CircleAlert, TriangleAlert } from '@/components/ui/icons'
import { LinkButton } from '@/components/ui/text-link'
import type { Setting } from '@/lib/operations/settings-screen/contract'
import type { StoredDuration } from '@/lib/site/settings/duration'
import { Chooser } from './chooser'
import { RecipientsField } from './recipients-field'
import { RulesField } from './rules-field'
import type { Names, Words } from './use-words'
import { adviceOf, type Fault, isWeak, presetOf, type Recipients, type Values } from './values'

/** Kinds whose control needs the whole width, below the label. */
const wideKinds = new Set<Setting['type']>(['rules', 'recipients', 'networkAliases'])
/** Kinds whose control stays at the right on a phone too. */
const small = new Set<Setting['type']>(['integer', 'days', 'switch'])

type Props = {
  setting: Setting
  id: string
  /** The values of the page. */
  values: Values
  /** The stored value. */
  stored: unknown
  changed: boolean
  fault: Fault | undefined
  mayWrite: boolean
  words: Words
  names: Names
  onChange: (value: unknown, chosen?: Option) => void
  onLeave: () => void
  same: (firstValue: unknown, secondValue: unknown) => boolean
}

/** One setting: its name, its meaning, whether it was changed, and its control. */
export function SettingRow(props: Props) {
  const { setting, id, values, stored, changed, fault, mayWrite, words, onChange, same } = props
  const t = useTranslations('settings')
  const { type } = setting
  const value = values[setting.id]
  const label = words.label(setting.id)
  const note = words.note(setting)
  const preset = presetOf(setting)
  const edited = mayWrite && !setting.readonly && !setting.reserved
  const advice = isWeak(setting, value) ? adviceOf(setting) : null
  const described =
    [fault && `${id}-error`, advice !== null && `${id}-advice`, note && `${id}-note`].filter(Boolean).join(' ') ||
    undefined
  const atRight = small.has(type)
  return (
    <div
      data-setting={setting.id}
      className={cn(
        'relative grid gap-x-6 gap-y-2.5 border-line border-t px-4 py-3.5 sm:px-5',
        changed && 'before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-brand',
        !wideKinds.has(type) &&
          (atRight
            ? 'grid-cols-[1fr_auto] items-center'
            : '@min-[36rem]:grid-cols-[1fr_auto] @min-[36rem]:items-center'),
      )}
    >
      <div className="grid min-w-0 gap-0.5">
        <label htmlFor={id} className="justify-self-start font-medium text-table">
          {label}
        </label>
        {note ? (
          <p id={`${id}-note`} className="text-ink-second text-note">
            {note}
          </p>
        ) : null}
        {setting.added ? (
          <p className="break-words text-ink-second text-note">
            {t('addedBy', { source: setting.added.source, values: words.joined(setting.added.values) })}
          </p>
        ) : null}
        {setting.readonly ? (
          <p className="text-ink-second text-note">{t('given', { source: setting.source ?? '' })}</p>
        ) : null}
        {setting.reserved && mayWrite ? <p className="text-ink-second text-note">{t('reserved')}</p> : null}
        {changed ? (
          <p className="flex flex-wrap gap-x-2 text-note">
            <span className="font-medium text-brand">{t('changed')}</span>
            <span className="text-ink-second">{t('was', { value: words.text(setting, stored) })}</span>
            <LinkButton aria-label={t('revertOf', { name: label })} onClick={() => onChange(stored)}>
              {t('revert')}
            </LinkButton>
          </p>
        ) : edited && !same(preset, value) ? (
          <p className="flex flex-wrap gap-x-2 text-note">
            <span className="text-ink-second">{t('preset', { value: words.text(setting, preset) })}</span>
            <LinkButton aria-label={t('usePresetOf', { name: label })} onClick={() => onChange(preset)}>
              {t('revert')}
            </LinkButton>
          </p>
        ) : null}
        {advice === null ? null : (
          <p id={`${id}-advice`} className="flex gap-1.5 text-note text-warning">
            <TriangleAlert className="mt-px size-4 shrink-0" />
            {t('advice', { least: String(advice) })}
          </p>
        )}
        {fault ? (
          <p id={`${id}-error`} className="flex gap-1.5 text-danger text-note">
            <CircleAlert className="mt-px size-4 shrink-0" />
            {words.fault(fault)}
          </p>
        ) : null}
      </div>
      {edited ? (
        <Control
          {...props}
          label={label}
          described={{ 'aria-describedby': described, 'aria-invalid': fault ? true : undefined }}
        />
      ) : (
        <ReadOnlyValue {...props} />
      )}
    </div>
  )
}

type Described = { 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

function Control({
  setting,
  id,
  values,
  label,
  described,
  words,
  names,
  onChange,
  onLeave,
}: Props & { label: string; described: Described }) {
  const t = useTranslations('settings')
  const { type } = setting
  const value = values[setting.id]
  switch (type) {
    case 'switch':
      return (
        <SwitchBox
          {...described}
          id={id}
          checked={value === true}
          onCheckedChange={(checked) => onChange(checked)}
          onBlur={onLeave}
        />
      )
    case 'duration':
      return (
        <DurationBox
          {...described}
          id={id}
          label={label}
          value={value as StoredDuration}
          onChange={onChange}
          onBlur={onLeave}
          units={words.units((value as StoredDuration).value)}
          unitLabel={t('unit', { name: label })}
        />
      )
    case 'rules':
      return <RulesField {...described} id={id} label={label} values={values} onChange={onChange} onBlur={onLeave} />
    case 'recipients':
      return (
        <RecipientsField
          {...described}
          id={id}
          label={label}
          value={value as Recipients}
          names={names}
          onChange={onChange}
        />
      )
    case 'networkAliases':
    case 'role': {
      const ids = [value].flat() as string[]
      const several = type === 'networkAliases'
      return (
        <Chooser
          {...described}
          id={id}
          label={label}
          button={several ? t('addAlias') : words.text(setting, value)}
          of={several ? 'networkAliases' : 'systemicRoles'}
          values={ids}
          several={several}
          names={names}
          onChange={(next, chosen) => onChange(several ? next : next[0], chosen)}
        />
      )
    }
    default: {
      const number = type === 'integer' || type === 'days'
      return (
        <div className={number ? 'w-20' : 'w-full @min-[36rem]:w-60'}>
          <input
            {...described}
            id={id}
            inputMode={number ? 'numeric' : undefined}
            autoComplete="off"
            spellCheck={false}
            maxLength={number ? 16 : type === 'url' ? 2048 : 64}
            value={value === null ? '' : String(value)}
            onBlur={onLeave}
            onChange={({ target }) =>
              onChange(
                target.value === '' && type !== 'string' ? null : number ? numberFrom(target.value) : target.value,
              )
            }
            className={cn(
              inputClasses,
              'h-10 pointer-coarse:h-11',
              number && 'px-3 text-right tabular-nums',
              type === 'string' && 'font-mono',
            )}
          />
        </div>
      )
    }
  }
}

/** The value of a setting that can't be changed here. */
function ReadOnlyValue({ setting, id, values, words }: Props) {
  const value = values[setting.id]
  const rules: ReactNode =
    setting.type === 'rules' && (value as { pattern: string }[]).length > 0 ? (
      <ul className="grid gap-1">
        {(value as { pattern: string; title: Record<string, string> }[]).map(({ pattern, title }) => (
          <li key={pattern} className="break-words">
            <code className="font-mono">{pattern}</code> · {words.joined(Object.values(title))}
          </li>
        ))}
      </ul>
    ) : null
  return (
    <output id={id} className="min-w-0 break-words text-table">
      {rules ?? words.text(setting, value)}
    </output>
  )
}
