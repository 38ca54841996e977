'use client'

import { useLocale, useTranslations } from 'next-intl'
import { createContext, type ReactNode, type RefObject, use, useEffect, useMemo, useRef } from 'react'
import {
  type FieldErrors,
  type FieldValues,
  FormProvider,
  get,
  type UseFormReturn,
  useFormState,
} from 'react-hook-form'
import { inSentence } from '@/lib/base/i18n/in-sentence'
import { cn } from '../ui/cn'
import { later } from '../ui/later'
import { UnsavedGuard } from '../ui/unsaved'
import { byPlace } from './by-place'
import { ErrorSummary } from './error-summary'
import type { ContractForm, FirstStep, FormOf } from './use-contract-form'

const ConflictPanel = later(() => import('./conflict-panel').then((part) => part.ConflictPanel))

type FormContext = Pick<ContractForm, 'id' | 'fields' | 'form' | 'first'>
const Context = createContext<FormContext | null>(null)

/** Labels of options by their values. */
export type Labels = ReadonlyMap<string, string>

/** Labels that were loaded later, and the value with which this one is compared. */
type ShowContext = { labels?: Labels; other?: unknown }

type More = {
  /** Returns the text of a value that has no text of its own: the label of an option. */
  show?: (value: unknown, context?: ShowContext) => string | undefined
  /** Finds the labels of options in a value that the field doesn't know; `show` gets them as `labels`. */
  learn?: (value: unknown) => Promise<Labels>
  /** Whether its value is neither shown nor copied. */
  secret?: boolean
}
/** A field and its current value in the form. */
type KnownField = More & { id: string; label: string; language?: string | null }

/** The part of the form that the fields belong to, for the error summary: the name of a language. */
export const TextLanguage = createContext<string | null>(null)
export type KnownFields = RefObject<Map<string, KnownField>>

/**
 * Returns a field's id, and registers it for the error summary and for conflicts. Takes the field's name in the values
 * (`ips.0.ip`) and its label. Throws outside a Form.
 */
export function useFieldId(name: string, label: string, { show, learn, secret = false }: More = {}): string {
  const formContext = use(Context)
  if (!formContext) throw new Error(`the field ${name} stands in no Form`)
  const { fields } = formContext
  const language = use(TextLanguage)
  const id = `${formContext.id}${name}`
  const callbacks = useRef({ show, learn })
  callbacks.current = { show, learn }
  useEffect(() => {
    const fieldMap = fields.current
    fieldMap.set(name, {
      id,
      label,
      language,
      secret,
      show: (value, context) => callbacks.current.show?.(value, context),
      learn: async (value) => (await callbacks.current.learn?.(value)) ?? new Map(),
    })
    return () => void fieldMap.delete(name)
  }, [fields, name, id, label, language, secret])
  return id
}

/**
 * Returns those methods of the enclosing form that don't make the part render again. Unlike with `useFormContext`, a
 * part with a memoized parent isn't rendered again. Throws outside a Form.
 */
export function useFormMethods<V extends FieldValues = FieldValues>(): Omit<
  UseFormReturn<V>,
  'formState' | 'watch' | 'getFieldState'
> {
  const formContext = use(Context)
  if (!formContext) throw new Error('a part of a form stands in no Form')
  return formContext.form as unknown as UseFormReturn<V>
}

/** While `step` is set, the form takes this step instead of being sent. Throws outside a Form. */
export function useFirstStep(step: FirstStep | null): void {
  const formContext = use(Context)
  if (!formContext) throw new Error('a part of a form stands in no Form')
  const { first } = formContext
  useEffect(() => {
    first.current = step
    return () => {
      first.current = null
    }
  })
}

type Props = {
  /** The result of useContractForm. */
  form: FormOf<unknown>
  /** `contents` lets the dialog lay out DialogBody and DialogFooter. */
  className?: string
  children: ReactNode
}

/** A form with its error summary above the fields. It asks before unsaved input is lost. */
export function Form({ form: anyForm, className, children }: Props) {
  const bound = anyForm as ContractForm
  const { form, id, fields, first, pending, submit, prepare, failure, meanwhile, again, cancel } = bound
  // fields are rendered again when what they show changes, not with the form around them
  const formContext = useMemo(() => ({ id, fields, form, first }), [id, fields, form, first])
  const outcome = useMemo(
    () => ({ fields, failure, meanwhile, again, cancel }),
    [fields, failure, meanwhile, again, cancel],
  )
  return (
    <Context value={formContext}>
      <FormProvider {...form}>
        <form
          noValidate
          onFocus={prepare}
          onSubmit={submit}
          aria-busy={pending || undefined}
          className={cn(className ?? 'grid gap-5')}
        >
          <Failure value={outcome}>{children}</Failure>
          <UnsavedGuard dirty={form.formState.isDirty} busy={pending} />
        </form>
      </FormProvider>
    </Context>
  )
}

type Outcome = Pick<ContractForm, 'fields' | 'failure' | 'meanwhile' | 'again' | 'cancel'>
const Failure = createContext<Outcome | null>(null)

/** Returns the names of the fields with an error. */
const faulty = (errors: FieldErrors, names: Iterable<string>) =>
  [...names].flatMap((name) => {
    const error: { message?: unknown; root?: { message?: unknown } } | undefined = get(errors, name)
    const message = error?.message ?? error?.root?.message
    return typeof message === 'string' ? [{ name, message }] : []
  })

/**
 * Returns the mounted fields of the form, how often saving has failed, and the function that discards all that was
 * typed.
 */
export function useWholeForm(): { fields: KnownFields; failures: number; cancel: () => void } {
  const bound = use(Failure)
  if (!bound) throw new Error('a part of a form stands in no Form')
  return { fields: bound.fields, failures: bound.failure?.count ?? 0, cancel: bound.cancel }
}

/** Returns whether another person deleted the object of the form, and the buttons that the form's footer then shows. */
export function useGone(): { gone: boolean; again: boolean } {
  const bound = use(Failure)
  return { gone: Boolean(bound?.meanwhile.gone), again: bound?.again ?? false }
}

/**
 * Shown above the fields if the form can't be saved: that another person saved or deleted the object, and the error
 * summary. Each takes the focus when it appears.
 */
export function FormErrors() {
  const bound = use(Failure)
  if (!bound) return null
  const { meanwhile, fields, again } = bound
  return (
    <>
      {meanwhile.met || meanwhile.gone ? <ConflictPanel meanwhile={meanwhile} fields={fields} again={again} /> : null}
      <Errors />
    </>
  )
}

function Errors() {
  const t = useTranslations('ui.form')
  const tc = useTranslations('common')
  const locale = useLocale()
  const bound = use(Failure)
  const { errors } = useFormState()
  if (!bound?.failure) return null
  const { failure, fields } = bound
  const items = faulty(errors, fields.current.keys()).map(({ name, message }) => {
    const { id = '', label = '', language } = fields.current.get(name) ?? {}
    // all repeated rows have the same labels; the first row is that of the language
    const row = [...name.matchAll(/\.(\d+)(?=\.)/g)][language ? 1 : 0]?.[1]
    const inRow = row ? t('inRow', { number: Number(row) + 1, label: inSentence(label, locale) }) : label
    const inPart = language ? t('inLocale', { locale: language, label: inSentence(inRow, locale) }) : inRow
    return { fieldId: id, text: tc('fieldError', { label: inPart, error: inSentence(message, locale) }) }
  })
  // fields are registered in the order in which they were mounted, which for repeated rows isn't that of the page
  items.sort((a, b) => byPlace(a.fieldId, b.fieldId))
  if (items.length === 0 && failure.texts.length === 0) return null
  return (
    <ErrorSummary
      key={failure.count}
      title={failure.title ?? t('failed')}
      items={[...failure.texts.map((text) => ({ text })), ...items]}
    />
  )
}
