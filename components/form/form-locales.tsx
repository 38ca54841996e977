'use client'

import * as Radix from '@radix-ui/react-tabs'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type FieldErrors, get, useFieldArray, useFormState } from 'react-hook-form'
import { AskDialog } from '../ui/ask-dialog'
import { Button } from '../ui/button'
import { CircleAlert } from '../ui/icons'
import { TabTrigger } from '../ui/tab-trigger'
import { AskedByContext, useLater } from '../ui/use-later'
import { useOneByOne } from '../ui/use-one-by-one'
import type { AddLocaleMenu } from './add-locale-menu'
import { FieldError } from './field-error'
import { countErrors } from './field-errors'
import { type FieldName, type RowFields, rowFields } from './field-name'
import { TextLanguage, useFieldId, useFormMethods, useWholeForm } from './form'
import { addLook, type KnownLocale } from './known-locale'
import { type LocaleRow, localeName, whereItDiffers } from './locale-rows'
import { revealEvent } from './reveal'

const loadMenu = () => import('./add-locale-menu').then((part) => part.AddLocaleMenu)

type Props<Row extends { localeId: string }> = {
  /** The name from `fieldsOf`. */
  name: FieldName<readonly Row[] | undefined>
  /** The label of the tabs: “Texts”. */
  label: string
  /** Every locale that the form may have, in the order in which they are offered. */
  locales: readonly KnownLocale[]
  /** The values of a new locale. */
  empty: (localeId: string) => NoInfer<Row>
  /** A note about a locale, beside its name: “main”, “off”. */
  state?: (row: NoInfer<Row>, locale: KnownLocale) => string | undefined
  /** Called with the locale whose tab opens, so that a preview can follow. */
  onOpen?: (locale: KnownLocale) => void
  /** Renders the fields of a locale; `field` has their names. */
  children: (field: RowFields<Row>, locale: KnownLocale, index: number) => ReactNode
}

const firstControl = 'input, textarea, button[role=combobox], select'
const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).some(([key, part]) => key !== 'localeId' && isFilled(part))
    : typeof value === 'string' && value !== ''

/**
 * The texts of a form by language: a tab for each, with its state and the number of its errors. The first tab with an
 * error opens when saving fails (docs/quality.md#u22). One locale always stays. Hidden tabs are rendered after
 * hydration, one by one.
 */
export function FormLocales<Row extends { localeId: string }>(props: Props<Row>) {
  const { name, label, locales, empty, state, onOpen, children } = props
  const t = useTranslations('ui.locales')
  const id = useFieldId(name, label, { show: useShown(name, locales) })
  const { fields, append, remove } = useFieldArray({ name, keyName: 'key' })
  const { getValues } = useFormMethods()
  const { errors } = useFormState({ name })
  const { failures } = useWholeForm()
  const box = useRef<HTMLDivElement>(null)
  const [openLocale, setOpenLocale] = useState<string>()
  const [asking, setAsking] = useState<string>()
  /** The element that gets the focus after the tabs have changed. */
  const next = useRef<'field' | 'tab' | null>(null)

  const rows = fields as unknown as Row[]
  const localeOf = (localeId: string) =>
    locales.find((locale) => locale.id === localeId) ?? { id: localeId, code: '', name: localeId }
  const current = rows.find(({ localeId }) => localeId === openLocale)?.localeId ?? rows[0]?.localeId ?? ''
  const [first] = useState(current)
  const madeCount = useOneByOne(rows.length, current !== first)
  const missing = locales.filter((locale) => !rows.some(({ localeId }) => localeId === locale.id))
  const counts = rows.map((_, index) => countErrors(get(errors, `${name}.${index}`)))
  const open = (localeId: string) => {
    setOpenLocale(localeId)
    onOpen?.(localeOf(localeId))
  }

  const faults = counts.reduce((sum, count) => sum + count, 0)
  const answered = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure opens the first tab with an error; its errors come after it
  useEffect(() => {
    const faulty = rows[counts.findIndex((count) => count > 0)]
    // a new attempt begins to count anew
    if (failures === 0) answered.current = 0
    if (failures === answered.current || !faulty) return
    answered.current = failures
    open(faulty.localeId)
  }, [failures, faults])
  // biome-ignore lint/correctness/useExhaustiveDependencies: tabs that came or went are what it waits for
  useEffect(() => {
    const target = next.current
    next.current = null
    const panel = '[role=tabpanel][data-state=active]'
    if (target === 'field') box.current?.querySelector<HTMLElement>(`${panel} :is(${firstControl})`)?.focus()
    if (target === 'tab') box.current?.querySelector<HTMLElement>('[role=tab][data-state=active]')?.focus()
  }, [rows.length])
  const opening = useRef(open)
  opening.current = open
  useEffect(() => {
    const element = box.current
    const show = ({ target }: Event) => {
      const panel = (target as Element).closest<HTMLElement>('[data-locale]')
      // the element gets the focus afterwards
      if (panel?.dataset.locale) flushSync(() => opening.current(panel.dataset.locale ?? ''))
    }
    element?.addEventListener(revealEvent, show)
    return () => element?.removeEventListener(revealEvent, show)
  }, [])

  const add = (localeId: string) => {
    next.current = 'field'
    open(localeId)
    append(empty(localeId) as never, { shouldFocus: false })
  }
  const take = (localeId: string) => {
    const index = rows.findIndex((row) => row.localeId === localeId)
    next.current = 'tab'
    open(rows[index + 1]?.localeId ?? rows[index - 1]?.localeId ?? '')
    remove(index)
  }
  const ask = (localeId: string) => {
    const values = (getValues(name) as LocaleRow[]).find((row) => row.localeId === localeId)
    if (isFilled(values)) setAsking(localeId)
    else take(localeId)
  }
  const fault = get(errors, name) as FieldErrors[string]
  const error = (fault?.root?.message ?? fault?.message) as string | undefined
  return (
    <div ref={box} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {locales.map((locale) => (
        <KnownRow key={locale.id} field={name} locale={locale} />
      ))}
      <Radix.Root value={current} onValueChange={open} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex items-center gap-1 border-line border-b">
          <Radix.List aria-label={label} className="tabs flex min-w-0 gap-1 overflow-x-auto">
            {rows.map((row, index) => {
              const locale = localeOf(row.localeId)
              const quiet = state?.(row, locale)
              const count = counts[index] ?? 0
              return (
                <TabTrigger key={row.localeId} value={row.localeId}>
                  <span id={`${id}/${row.localeId}`} lang={locale.code || undefined}>
                    {locale.name}
                  </span>
                  {quiet ? <span className="font-normal text-ink-second text-note">{quiet}</span> : null}
                  {count > 0 ? (
                    <span className="flex items-center gap-1 rounded-pill bg-danger-tint px-1.5 font-medium text-danger text-note tabular-nums">
                      <CircleAlert className="size-3.5" />
                      <span aria-hidden="true">{count}</span>
                      <span className="sr-only">, {t('errors', { count })}</span>
                    </span>
                  ) : null}
                </TabTrigger>
              )
            })}
          </Radix.List>
          {missing.length > 0 ? <AddLocale missing={missing} onAdd={add} /> : null}
        </div>
        {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
        {rows.map((row, index) => {
          const locale = localeOf(row.localeId)
          return (
            <Radix.Content
              key={row.localeId}
              value={row.localeId}
              forceMount
              data-locale={row.localeId}
              className="grid gap-5 data-[state=inactive]:hidden"
            >
              {index < madeCount || row.localeId === current ? (
                <TextLanguage value={locale.name}>
                  {children(rowFields<Row>(`${name}.${index}`), locale, index)}
                </TextLanguage>
              ) : null}
              {rows.length > 1 ? (
                <Button
                  variant="quiet"
                  size="S"
                  onClick={() => ask(row.localeId)}
                  className="justify-self-start text-danger"
                >
                  <Trash2 aria-hidden="true" className="size-4" />
                  {t('remove', { locale: locale.name })}
                </Button>
              ) : null}
            </Radix.Content>
          )
        })}
      </Radix.Root>
      <AskDialog
        open={asking !== undefined}
        onOpenChange={() => setAsking(undefined)}
        title={t('removeTitle', { locale: localeOf(asking ?? '').name })}
        text={t('removeText')}
        cancel={t('keep')}
        confirm={t('removeVerb')}
        onConfirm={() => {
          if (asking) take(asking)
          setAsking(undefined)
        }}
      />
    </div>
  )
}

/** The button whose menu adds a locale; the menu is loaded when it is first used. */
function AddLocale(props: ComponentProps<typeof AddLocaleMenu>) {
  const t = useTranslations('ui.locales')
  const { Part, asked, wake } = useLater(loadMenu)
  if (!Part)
    return (
      <button
        {...wake}
        type="button"
        aria-haspopup="menu"
        aria-expanded={false}
        aria-label={t('add')}
        title={t('add')}
        className={addLook}
      >
        <Plus aria-hidden="true" className="size-4" />
      </button>
    )
  return (
    <AskedByContext value={asked}>
      <Part {...props} />
    </AskedByContext>
  )
}

/** Registers a locale's row with the form, so that a conflict can name it. */
function KnownRow({ field, locale }: { field: string; locale: KnownLocale }) {
  const show = useShownRow(field)
  useFieldId(localeName(field, locale.id), locale.name, {
    show: (value, context) => show(value as LocaleRow | undefined, context?.other as LocaleRow | undefined),
  })
  return null
}

/** Returns, with their labels, the members of a row that differ from another row. */
function useShownRow(field: string) {
  const t = useTranslations('ui')
  const { fields } = useWholeForm()
  return (row: LocaleRow | undefined, other: LocaleRow | undefined): string => {
    if (!row) return t('locales.none')
    const lines: string[] = []
    const walk = (path: string, value: unknown, otherValue: unknown) => {
      if (path === '.localeId' || JSON.stringify(value) === JSON.stringify(otherValue)) return
      // every row has the same fields
      const formField = fields.current.get(`${field}.0${path}`)
      const fieldText = formField?.show?.(value)
      const ownText = fieldText ?? (typeof value === 'boolean' ? t(value ? 'list.yes' : 'list.no') : undefined)
      if (ownText === undefined && typeof value === 'object' && value !== null)
        for (const [key, part] of Object.entries(value))
          walk(`${path}.${key}`, part, (otherValue as typeof value)?.[key as never])
      else {
        const text = whereItDiffers(ownText ?? String(value ?? ''), String(otherValue ?? '')) || t('notSet')
        lines.push(formField ? `${formField.label}: ${text}` : text)
      }
    }
    walk('', row, other)
    return lines.join('\n') || t('notSet')
  }
}

/** Returns all rows of the field as text, for copying. */
function useShown(field: string, locales: readonly KnownLocale[]) {
  const show = useShownRow(field)
  return (value: unknown) =>
    (value as LocaleRow[])
      .map((row) => `${locales.find(({ id }) => id === row.localeId)?.name ?? row.localeId}\n${show(row, undefined)}`)
      .join('\n')
}
