'use client'

import { useLocale, useTranslations } from 'next-intl'
import { type ComponentProps, useEffect, useId, useRef, useState } from 'react'
import type { Saver } from '@/lib/base/runtime/errors'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { DateTime } from '../ui/date-time'
import { snackbar } from '../ui/snackbar'
import { byPlace } from './by-place'
import { type Difference, isSameValue, type Side } from './conflict'
import type { KnownFields, Labels } from './form'
import type { ConcurrentChange } from './use-conflict'

/** How many items of a list are shown. */
const shownParts = 6

type Parts = { text: string; other: boolean }[]
type Show = (value: unknown, other?: unknown) => string | undefined

/** Shows a value as lines. Lines that the other value doesn't have come first. */
function useParts() {
  const t = useTranslations('ui')
  return (value: unknown, otherValue: unknown, show: Show | undefined): Parts => {
    const text = (each: unknown): string => {
      if (each === undefined || each === null || each === '') return t('notSet')
      if (typeof each === 'boolean') return t(each ? 'list.yes' : 'list.no')
      if (typeof each !== 'object') return String(each)
      return Object.values(each)
        .filter((member) => member !== '' && member !== null && member !== undefined)
        .map(text)
        .join(' · ')
    }
    const fieldText = show?.(value, otherValue)
    if (fieldText !== undefined) return [{ text: fieldText || t('notSet'), other: true }]
    if (!Array.isArray(value)) return [{ text: text(value), other: true }]
    if (value.length === 0) return [{ text: t('notSet'), other: true }]
    const otherItems = Array.isArray(otherValue) ? otherValue : []
    const parts = value.map((each) => ({
      text: text(each),
      other: !otherItems.some((otherItem) => isSameValue(otherItem, each)),
    }))
    const ordered = [...parts.filter((part) => part.other), ...parts.filter((part) => !part.other)]
    const moreCount = ordered.length - shownParts
    return moreCount > 1
      ? [...ordered.slice(0, shownParts), { text: t('andMore', { count: moreCount }), other: false }]
      : ordered
  }
}

type ChoiceProps = {
  group: string
  caption: string
  parts: Parts
  checked: boolean
  onChoose: () => void
}

function Choice({ group, caption, parts, checked, onChoose }: ChoiceProps) {
  return (
    <label className="flex cursor-pointer items-start gap-2.5 rounded-control border border-line-strong bg-surface p-2.5 has-checked:border-brand has-checked:outline has-checked:outline-brand pointer-coarse:min-h-11">
      <input type="radio" name={group} checked={checked} onChange={onChoose} className="mt-1 accent-brand" />
      <span className="grid min-w-0 gap-0.5">
        <span className="text-ink-second text-note">{caption}</span>
        {parts.map(({ text, other }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one value, which may be the same
            key={index}
            className={other ? 'whitespace-pre-wrap break-words font-medium' : 'break-words text-ink-second'}
          >
            {text}
          </span>
        ))}
      </span>
    </label>
  )
}

type Props = { meanwhile: ConcurrentChange; fields: KnownFields; again: boolean }

/**
 * Shown above a form whose object another person saved or deleted while it was open: who and when, for each field the
 * stored value and that of the form, and the possible actions. It takes the focus each time.
 */
export function ConflictPanel({ meanwhile, fields, again }: Props) {
  const { met, gone } = meanwhile
  if (gone) return <Gone gone={gone} meanwhile={meanwhile} fields={fields} again={again} />
  return met ? <Differences met={met} meanwhile={meanwhile} fields={fields} /> : null
}

/** The frame of the panel above the form's fields. It is focusable. */
const Panel = (props: Omit<ComponentProps<typeof Alert>, 'tone'>) => (
  <Alert {...props} tone="warning" role="group" tabIndex={-1} data-quiet-focus className="scroll-mt-4" />
)

/** Sorts fields by their order in the page; values come in the order of the call. */
const asOnPage = (fields: KnownFields) => {
  const id = ({ name }: { name: string }) => fields.current.get(name)?.id ?? ''
  return (a: { name: string }, b: { name: string }) => byPlace(id(a), id(b))
}

/** Finds the labels of options that another person chose and the form's fields don't know. */
function useLabels({ differences }: NonNullable<ConcurrentChange['met']>, fields: KnownFields): Labels {
  const [labels, setLabels] = useState<Labels>(new Map())
  useEffect(() => {
    let ended = false
    for (const { name, theirs, hidden } of differences)
      if (!hidden)
        fields.current
          .get(name)
          ?.learn?.(theirs)
          .then(
            (learned) => ended || learned.size === 0 || setLabels((before) => new Map([...before, ...learned])),
            // without an answer the value itself is shown
            () => undefined,
          )
    return () => {
      ended = true
    }
  }, [differences, fields])
  return labels
}

type MetProps = { met: NonNullable<ConcurrentChange['met']>; meanwhile: ConcurrentChange; fields: KnownFields }

function Differences({ met, meanwhile: { choose }, fields }: MetProps) {
  const t = useTranslations('ui.conflict')
  const group = useId()
  const partsOf = useParts()
  const box = useRef<HTMLDivElement>(null)
  const { differences, chosen, missing, count, at, by } = met
  // a field that isn't on screen was not changed here, so it keeps the stored value
  const rows = differences.filter(({ name }) => fields.current.has(name)).toSorted(asOnPage(fields))
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new conflict, and each missing choice, asks for attention
  useEffect(() => {
    const unchosen = missing ? box.current?.querySelector<HTMLElement>('[data-unchosen] input') : null
    const target = unchosen ?? box.current
    target?.focus()
  }, [count])
  const labels = useLabels(met, fields)
  const showOf =
    (name: string): Show =>
    (value, other) =>
      fields.current.get(name)?.show?.(value, { labels, other })
  const chooseAll = (side: Side) =>
    choose(
      differences.map(({ name }) => name),
      side,
    )
  const captions = (row: Difference) => ({
    theirs: row.hidden ? [{ text: t('hidden'), other: false }] : partsOf(row.theirs, row.mine, showOf(row.name)),
    mine: row.hidden
      ? [{ text: t(row.both ? 'hiddenMine' : 'hiddenKept'), other: false }]
      : partsOf(row.mine, row.theirs, showOf(row.name)),
  })
  return (
    <Panel ref={box} aria-label={t('label')} title={<Who by={by} at={at} kind="saved" />}>
      <p>{t(rows.length > 0 ? 'text' : met.same ? 'same' : 'untouched')}</p>
      {rows.length > 0 ? (
        <div className="@container mt-2 grid gap-3.5 max-sm:-ml-8">
          {rows.map((row) => {
            const { name } = row
            const label = fields.current.get(name)?.label ?? name
            const parts = captions(row)
            const error = missing && !chosen[name]
            return (
              <fieldset
                key={name}
                data-unchosen={chosen[name] ? undefined : ''}
                aria-describedby={error ? `${group}${name}-error` : undefined}
                className="grid gap-1.5"
              >
                <legend className="mb-1.5 font-medium">{label}</legend>
                {error ? (
                  <p id={`${group}${name}-error`} className="text-danger text-note">
                    {t('choose')}
                  </p>
                ) : null}
                <div className="grid gap-2 @min-[26rem]:grid-cols-2">
                  {(['theirs', 'mine'] as const).map((side) => (
                    <Choice
                      key={side}
                      group={`${group}${name}`}
                      caption={t(side === 'mine' && !row.both ? 'before' : side)}
                      parts={parts[side]}
                      checked={chosen[name] === side}
                      onChoose={() => choose([name], side)}
                    />
                  ))}
                </div>
              </fieldset>
            )
          })}
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="S" onClick={() => chooseAll('theirs')}>
              {t('takeTheirs')}
            </Button>
            <Button variant="secondary" size="S" onClick={() => chooseAll('mine')}>
              {t('keepMine')}
            </Button>
          </div>
        </div>
      ) : null}
    </Panel>
  )
}

type WhoProps = { by: Saver | null | undefined; at: string | undefined; kind: 'saved' | 'deleted' }

function Who({ by, at, kind }: WhoProps) {
  const t = useTranslations('ui.conflict')
  const time = at ? <DateTime value={at} /> : null
  return t.rich(`${kind}By`, {
    who: !by ? 'nobody' : by.you ? 'you' : 'other',
    name: by?.name ?? '',
    when: at ? 'known' : 'unknown',
    time: () => time,
  })
}

type GoneProps = {
  gone: NonNullable<ConcurrentChange['gone']>
  meanwhile: ConcurrentChange
  fields: KnownFields
  again: boolean
}

function Gone({ gone, meanwhile, fields, again }: GoneProps) {
  const t = useTranslations('ui.conflict')
  const tUi = useTranslations('ui')
  const locale = useLocale()
  const partsOf = useParts()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const copy = async () => {
    const values = Object.entries(meanwhile.typed()).map(([name, value]) => ({ name, value }))
    const lines = values.toSorted(asOnPage(fields)).flatMap(({ name, value }) => {
      const formField = fields.current.get(name)
      if (!formField || formField.secret) return []
      const parts =
        Array.isArray(value) && formField.show?.(value) === undefined
          ? value.flatMap((each) => partsOf(each, undefined, undefined))
          : partsOf(value, undefined, (each) => formField.show?.(each))
      return [
        `${formField.label}: ${new Intl.ListFormat(locale, { type: 'unit' }).format(parts.map(({ text }) => text))}`,
      ]
    })
    try {
      await navigator.clipboard.writeText(lines.join('\n'))
      await snackbar.ok(tUi('copied'))
    } catch {
      await snackbar.error(tUi('copyFailed'))
    }
  }
  return (
    <Panel ref={box} aria-label={t('goneLabel')} title={<Who by={gone.by} at={gone.at} kind="deleted" />}>
      <p>{t(again ? 'goneAgain' : 'gone')}</p>
      <div className="mt-2">
        <Button variant="secondary" size="S" onClick={copy}>
          {t('copyTyped')}
        </Button>
      </div>
    </Panel>
  )
}
