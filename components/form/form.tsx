'use client'

import { useLocale, useTranslations } from 'next-intl'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { type FieldErrors, FormProvider, get } from 'react-hook-form'
import { cn } from '../ui/cn'
import { UnsavedGuard } from '../ui/unsaved'
import { ErrorSummary } from './error-summary'
import type { ContractForm, FormOf } from './use-contract-form'

type Known = Pick<ContractForm, 'id' | 'fields'>
const Context = createContext<Known | null>(null)

/**
 * A field's id, and its place in the summary of errors. Takes the field's name in the values (`ips.0.ip`) and label.
 * Throws outside a Form.
 */
export function useFieldId(name: string, label: string): string {
  const known = use(Context)
  if (!known) throw new Error(`the field ${name} stands in no Form`)
  const { fields } = known
  const id = `${known.id}${name}`
  useEffect(() => {
    const all = fields.current
    all.set(name, { id, label })
    return () => void all.delete(name)
  }, [fields, name, id, label])
  return id
}

type Props = {
  /** What useContractForm gave. */
  form: FormOf<unknown>
  /** `contents` lets DialogBody and DialogFooter be laid out by their dialog. */
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

/** Names of fields that hold an error. */
const faulty = (errors: FieldErrors, names: Iterable<string>) =>
  [...names].flatMap((name) => {
    const error: { message?: unknown; root?: { message?: unknown } } | undefined = get(errors, name)
    const message = error?.message ?? error?.root?.message
    return typeof message === 'string' ? [{ name, message }] : []
  })

/** A label within a sentence: “Адрес” is “адрес”, “IP-адрес” stays. */
const inSentence = (label: string, locale: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLocaleLowerCase(locale) + label.slice(1) : label

/** The form's error summary, above the fields. It gets the focus at each new failure. */
export function FormErrors() {
  const t = useTranslations('ui.form')
  const tc = useTranslations('common')
  const locale = useLocale()
  const bound = use(Failure)
  if (!bound?.failure) return null
  const { failure, fields, form } = bound
  const items = faulty(form.formState.errors, fields.current.keys()).map(({ name, message }) => {
    const { id = '', label = '' } = fields.current.get(name) ?? {}
    // labels of repeated rows are all the same
    const row = /\.(\d+)\./.exec(name)?.[1]
    const told = row ? t('inRow', { number: Number(row) + 1, label: inSentence(label, locale) }) : label
    return { fieldId: id, text: tc('fieldError', { label: told, error: message }) }
  })
  // fields are in the order in which they were mounted, which for repeated rows isn't that of the page
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
