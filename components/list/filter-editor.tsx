'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useMemo, useState } from 'react'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { inputClasses } from '../form/input-classes'
import { OptionList } from '../form/option-list'
import { useRemote } from '../form/use-remote'
import { type Option, type Search, searchIn } from '../form/use-search'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { Check } from '../ui/icons'
import type { ListFilter } from './filter'
import { filterValues } from './list-link'

type Values = Record<string, string | readonly string[] | null>
type Props = {
  filter: ListFilter
  address: ListAddress
  /** The values of the filter, by the contract's names. */
  onApply: (values: Values) => void
}

/** If a filter has more options than this, it has a search. */
const searched = 20

const input = cn(inputClasses, 'h-9 text-table pointer-coarse:h-11')

/** The editor of a filter. A choice applies at once; other filters have a button that applies them. */
export function FilterEditor({ filter, address, onApply }: Props) {
  const t = useTranslations('ui.list')
  const { kind, name, label } = filter
  const inUse = filterValues(address, name)
  if (kind === 'choice' && filter.options.length > searched)
    return <Long label={label} options={filter.options} held={inUse} onChoose={(value) => onApply({ [name]: value })} />
  if (kind === 'choice' || kind === 'yesNo')
    return (
      <Choice
        label={label}
        held={inUse[0]}
        options={
          kind === 'choice'
            ? filter.options
            : [
                { value: 'true', label: t('yes') },
                { value: 'false', label: t('no') },
              ]
        }
        onChoose={(value) => onApply({ [name]: value })}
      />
    )
  if (kind === 'remote') return <Remote filter={filter} held={inUse} onApply={onApply} />
  if (kind === 'many') return <Many filter={filter} held={inUse} onApply={onApply} />
  return <Typed filter={filter} address={address} onApply={onApply} />
}

function Remote({
  filter: { name, label, of, given, fixed },
  held,
  onApply,
}: {
  filter: ListFilter & { kind: 'remote' }
  held: string[]
  onApply: Props['onApply']
}) {
  const remote = useRemote(of, given)
  const search = useMemo<Search>(
    () => async (text, signal) => {
      const answers = await Promise.all([searchIn(fixed ?? [])(text, signal), remote(text, signal)])
      return answers.flat()
    },
    [remote, fixed],
  )
  return (
    <div className="w-72">
      <OptionList label={label} search={search} chosen={held} onChoose={({ value }) => onApply({ [name]: value })} />
    </div>
  )
}

type LongProps = { label: string; options: readonly Option[]; held: string[]; onChoose: (value: string) => void }

function Long({ label, options, held, onChoose }: LongProps) {
  const search = useMemo(() => searchIn(options), [options])
  return (
    <div className="w-72">
      <OptionList label={label} search={search} chosen={held} onChoose={({ value }) => onChoose(value)} />
    </div>
  )
}

function Choice({
  label,
  held,
  options,
  onChoose,
}: {
  label: string
  held: string | undefined
  options: readonly Option[]
  onChoose: (value: string) => void
}) {
  return (
    <div className="grid min-w-52 p-1 text-table">
      <p className="px-3 pt-1.5 pb-1 text-ink-second text-note">{label}</p>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === held}
          onClick={() => onChoose(option.value)}
          className="flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-3 text-left outline-offset-[-2px]! hover:bg-sunken aria-pressed:font-medium pointer-coarse:min-h-11"
        >
          {option.label}
          {option.value === held ? <Check className="size-4 text-brand" /> : null}
        </button>
      ))}
    </div>
  )
}

function Many({
  filter: { name, label, options },
  held,
  onApply,
}: {
  filter: ListFilter & { kind: 'many' }
  held: string[]
  onApply: Props['onApply']
}) {
  const t = useTranslations('ui.list')
  const [chosen, setChosen] = useState(held)
  const toggle = (value: string) =>
    setChosen(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
  return (
    <form
      className="grid min-w-56 gap-2 p-3 text-table"
      onSubmit={(event) => {
        event.preventDefault()
        onApply({ [name]: chosen })
      }}
    >
      <fieldset className="grid max-h-64 overflow-y-auto">
        <legend className="pb-1 text-ink-second text-note">{label}</legend>
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={() => toggle(option.value)}
              className="size-4.5 accent-brand"
            />
            {option.label}
          </label>
        ))}
      </fieldset>
      <Button type="submit" size="S">
        {t('apply')}
      </Button>
    </form>
  )
}

function Typed({
  filter,
  address,
  onApply,
}: {
  filter: ListFilter & { kind: 'text' | 'dates' }
  address: ListAddress
  onApply: Props['onApply']
}) {
  const t = useTranslations('ui.list')
  const fields =
    filter.kind === 'dates'
      ? [
          { name: filter.from, label: t('from'), type: 'date' },
          { name: filter.to, label: t('to'), type: 'date' },
        ]
      : [{ name: filter.name, label: filter.label, type: 'text' }]
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    onApply(Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? '').trim() || null])))
  }
  return (
    <form className="grid w-64 gap-3 p-3 text-table" onSubmit={submit}>
      {filter.kind === 'dates' ? <p className="text-ink-second text-note">{filter.label}</p> : null}
      {fields.map(({ name, label, type }) => (
        <label key={name} className="grid gap-1 text-note">
          {label}
          <input
            type={type}
            name={name}
            defaultValue={filterValues(address, name)[0] ?? ''}
            placeholder={filter.kind === 'text' ? filter.hint : undefined}
            autoComplete="off"
            maxLength={255}
            className={input}
          />
        </label>
      ))}
      <Button type="submit" size="S">
        {t('apply')}
      </Button>
    </form>
  )
}
