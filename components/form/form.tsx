'use client'

import { useLocale, useTranslations } from 'next-intl'
import { createContext, type ReactNode, type RefObject, use, useEffect, useRef } from 'react'
import { type FieldErrors, FormProvider, get } from 'react-hook-form'
import { cn } from '../ui/cn'
import { UnsavedGuard } from '../ui/unsaved'
import { ConflictPanel } from './conflict-panel'
import { ErrorSummary } from './error-summary'
import type { ContractForm, FormOf } from './use-contract-form'

type Known = Pick<ContractForm, 'id' | 'fields'>
const Context = createContext<Known | null>(null)

/** Labels of options by their values. */
export type Labels = ReadonlyMap<string, string>

type More = {
  /** The text of a value that can't be shown itself: the label of an option. */
  show?: (value: unknown, more?: Labels) => string | undefined
  /** Finds the labels of options in a value that the field doesn't know; `show` takes them as `more`. */
  learn?: (value: unknown) => Promise<Labels>
  /** Whether its value is neither shown nor copied. */
  secret?: boolean
}
/** A field and its current value in the form. */
type KnownField = More & { id: string; label: string }
export type KnownFields = RefObject<Map<string, KnownField>>

/**
 * Returns a field's id, and registers it for the error summary and for conflicts. Takes the field's name in the values
 * (`ips.0.ip`) and its label. Throws outside a Form.
 */
export function useFieldId(name: string, label: string, { show, learn, secret = false }: More = {}): string {
  const known = use(Context)
  if (!known) throw new Error(`the field ${name} stands in no Form`)
  const { fields } = known
  const id = `${known.id}${name}`
  const own = useRef({ show, learn })
  own.current = { show, learn }
  useEffect(() => {
    const all = fields.current
    all.set(name, {
      id,
      label,
      secret,
      show: (value, more) => own.current.show?.(value, more),
      learn: async (value) => (await own.current.learn?.(value)) ?? new Map(),
    })
    return () => void all.delete(name)
  }, [fields, name, id, label, secret])
  return id
}

type Props = {
  /** The result of useContractForm. */
  form: FormOf<unknown>
  /** `contents` lets the dialog lay out DialogBody and DialogFooter. */
  className?: string
  children: ReactNode
}

/** A form with its error summary above the fields. It asks before unsaved input is lost. */
export function Form({ form: given, className, children }: Props) {
  const bound = given as ContractForm
  const { form, id, fields, pending, submit } = bound
  return (
    <Context value={{ id, fields }}>
      <FormProvider {...form}>
        <form noValidate onSubmit={submit} aria-busy={pending || undefined} className={cn(className ?? 'grid gap-5')}>
          <Failure.Provider value={bound}>{children}</Failure.Provider>
          <UnsavedGuard dirty={form.formState.isDirty} busy={pending} />
        </form>
      </FormProvider>
    </Context>
  )
}

const Failure = createContext<ContractForm | null>(null)

/** Returns the names of the fields with an error. */
const faulty = (errors: FieldErrors, names: Iterable<string>) =>
  [...names].flatMap((name) => {
    const error: { message?: unknown; root?: { message?: unknown } } | undefined = get(errors, name)
    const message = error?.message ?? error?.root?.message
    return typeof message === 'string' ? [{ name, message }] : []
  })

/** A label inside a sentence: “Адрес” becomes “адрес”, “IP-адрес” stays. */
const inSentence = (label: string, locale: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLocaleLowerCase(locale) + label.slice(1) : label

/** Returns whether somebody deleted the object of the form, and the buttons that the form's footer then shows. */
export function useGone(): { gone: boolean; again: boolean } {
  const bound = use(Failure)
  return { gone: Boolean(bound?.meanwhile.gone), again: bound?.again ?? false }
}

/**
 * Shown above the fields if the form can't be saved: that somebody else saved or deleted the object, and the error
 * summary. Each gets the focus when it appears.
 */
export function FormErrors() {
  const bound = use(Failure)
  if (!bound) return null
  const { meanwhile, fields, again } = bound
  return (
    <>
      <ConflictPanel meanwhile={meanwhile} fields={fields} again={again} />
      <Errors />
    </>
  )
}

function Errors() {
  const t = useTranslations('ui.form')
  const tc = useTranslations('common')
  const locale = useLocale()
  const bound = use(Failure)
  if (!bound?.failure) return null
  const { failure, fields, form } = bound
  const items = faulty(form.formState.errors, fields.current.keys()).map(({ name, message }) => {
    const { id = '', label = '' } = fields.current.get(name) ?? {}
    // all repeated rows have the same labels
    const row = /\.(\d+)\./.exec(name)?.[1]
    const told = row ? t('inRow', { number: Number(row) + 1, label: inSentence(label, locale) }) : label
    return { fieldId: id, text: tc('fieldError', { label: told, error: message }) }
  })
  // fields are registered in the order in which they were mounted, which for repeated rows isn't that of the page
  const place = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? 0
  items.sort((a, b) => place(a.fieldId) - place(b.fieldId))
  if (items.length === 0 && failure.texts.length === 0) return null
  return (
    <ErrorSummary
      key={failure.count}
      title={failure.title ?? t('failed')}
      items={[...failure.texts.map((text) => ({ text })), ...items]}
    />
  )
}
