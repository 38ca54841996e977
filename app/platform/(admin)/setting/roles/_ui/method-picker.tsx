'use client'

import { Lock } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { useController } from 'react-hook-form'
import { CheckboxBox } from '@/components/form/checkbox-box'
import { FieldError } from '@/components/form/field-error'
import { useFieldId } from '@/components/form/form'
import type { FormFieldProps } from '@/components/form/form-text'
import { inputClasses } from '@/components/form/input-classes'
import { cn } from '@/components/ui/cn'
import type { Method } from '@/lib/access/roles/contract'
import { isFound } from '@/lib/base/lists/search-form'
import { groupMethods, type MethodGroup } from './method-groups'

type Props = FormFieldProps<readonly string[] | undefined> & {
  methods: readonly Method[]
  /** Whether a heading above already shows the label. */
  headed?: boolean
}

/**
 * The methods of a role, by area and application; a whole group can be chosen at once. Methods that aren't assignable
 * are shown with a lock and keep their state.
 */
export function MethodPicker({ name, label, methods, headed = false }: Props) {
  const t = useTranslations('roles.picker')
  const locale = useLocale()
  const { field, fieldState } = useController({ name })
  const [text, setText] = useState('')
  const [onlyChosen, setOnlyChosen] = useState(false)
  const words = useDeferredValue(text)
  const lockNoteId = useId()
  const chosen = useMemo(() => new Set<string>(field.value ?? []), [field.value])
  const groups = useMemo(() => groupMethods(methods, locale), [methods, locale])
  const byId = useMemo(
    () => new Map(groups.flatMap((group) => group.methods.map((each) => [each.method.id, { group, ...each }]))),
    [groups],
  )
  const groupName = (group: MethodGroup) =>
    group.application ? t('application', { name: group.name ?? '' }) : (group.name ?? t('special'))
  const id = useFieldId(name, label, {
    show: (value) =>
      [value ?? []]
        .flat()
        .flatMap((each) => {
          const listed = byId.get(String(each))
          return listed ? [`${groupName(listed.group)}: ${listed.label}`] : []
        })
        .join(', '),
  })
  const set = (ids: readonly string[], checked: boolean) => {
    const next = new Set(chosen)
    for (const each of ids)
      if (checked) next.add(each)
      else next.delete(each)
    field.onChange([...next])
  }
  const shownGroups = groups.flatMap((group) => {
    const listed = group.methods.filter(
      ({ method, label: rowLabel }) =>
        (!onlyChosen || chosen.has(method.id)) && isFound(words, [`${groupName(group)} ${rowLabel} ${method.code}`]),
    )
    return listed.length > 0 ? [{ ...group, methods: listed }] : []
  })
  const locked = methods.some(({ grantable }) => !grantable)
  const error = fieldState.error?.message
  return (
    <fieldset
      aria-describedby={error ? `${id}-error` : undefined}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2"
    >
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline justify-between gap-x-4 font-medium text-table">
        <span className={headed ? 'sr-only' : undefined}>{label}</span>
        <span aria-live="polite" className="font-normal text-ink-second text-note">
          {t('chosen', { count: chosen.size })}
        </span>
      </legend>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          id={id}
          ref={field.ref}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            // Enter in a search must not submit the form around it
            if (event.key === 'Enter') event.preventDefault()
          }}
          placeholder={t('search')}
          aria-label={t('search')}
          aria-invalid={error ? true : undefined}
          className={cn(inputClasses, 'h-10 min-w-0 grow basis-48 pointer-coarse:h-11')}
        />
        <label htmlFor={`${id}-only`} className="flex min-h-10 cursor-pointer items-center gap-2.5 text-table">
          <CheckboxBox
            id={`${id}-only`}
            checked={onlyChosen}
            onCheckedChange={(checked) => setOnlyChosen(checked === true)}
          />
          {t('onlyChosen')}
        </label>
      </div>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {locked ? (
        <p id={lockNoteId} className="flex items-center gap-1.5 text-ink-second text-note">
          <Lock aria-hidden="true" className="size-3.5 shrink-0" />
          {t('beyond')}
        </p>
      ) : null}
      <div className="@container grid divide-y divide-line rounded-card border border-line">
        {shownGroups.map((group) => (
          <Group key={group.key} group={group} name={groupName(group)} chosen={chosen} set={set} beyond={lockNoteId} />
        ))}
        {shownGroups.length === 0 ? <p className="px-4 py-6 text-center text-ink-second">{t('none')}</p> : null}
      </div>
    </fieldset>
  )
}

type GroupProps = {
  group: MethodGroup
  name: string
  chosen: ReadonlySet<string>
  set: (ids: readonly string[], checked: boolean) => void
  /** The id of the text that says why a method is locked. */
  beyond: string
}

function Group({ group, name, chosen, set, beyond }: GroupProps) {
  const t = useTranslations('roles.picker')
  const boxId = useId()
  const ids = group.methods.map(({ method }) => method.id)
  const free = group.methods.flatMap(({ method }) => (method.grantable ? [method.id] : []))
  const count = ids.filter((methodId) => chosen.has(methodId)).length
  const whole = count === ids.length ? true : count > 0 ? 'indeterminate' : false
  const allChosen = free.length > 0 && free.every((methodId) => chosen.has(methodId))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out beside its legend
    <div
      role="group"
      aria-label={name}
      className="grid gap-x-4 gap-y-1 px-4 py-2 @min-[30rem]:grid-cols-[minmax(0,12rem)_minmax(0,1fr)]"
    >
      <label
        htmlFor={boxId}
        className={cn(
          'flex min-h-9 items-center gap-2.5 self-start font-medium text-table',
          free.length > 0 && 'cursor-pointer',
        )}
      >
        <CheckboxBox
          id={boxId}
          checked={whole}
          disabled={free.length === 0}
          aria-label={t('whole', { group: name })}
          onCheckedChange={() => set(free, !allChosen)}
        />
        <span className="wrap-anywhere min-w-0">{name}</span>
      </label>
      <div className="flex flex-wrap gap-x-5">
        {group.methods.map(({ method, label }) => (
          <label
            key={method.id}
            htmlFor={`${boxId}${method.id}`}
            className={cn(
              'flex min-h-9 min-w-0 items-center gap-2 text-table',
              method.grantable ? 'cursor-pointer' : 'cursor-not-allowed text-ink-second',
            )}
          >
            <CheckboxBox
              id={`${boxId}${method.id}`}
              checked={chosen.has(method.id)}
              aria-disabled={method.grantable ? undefined : true}
              aria-describedby={method.grantable ? undefined : beyond}
              onCheckedChange={(checked) => {
                if (method.grantable) set([method.id], checked === true)
              }}
            />
            <span className="wrap-anywhere min-w-0">{label}</span>
            {method.grantable ? null : <Lock aria-hidden="true" className="size-3.5 shrink-0" />}
          </label>
        ))}
      </div>
    </div>
  )
}
