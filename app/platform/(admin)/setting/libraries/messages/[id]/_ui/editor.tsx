'use client'

import { Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { countErrors } from '@/components/form/field-errors'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors, useFormMethods, useGone } from '@/components/form/form'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { reveal } from '@/components/form/reveal'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { useErrorText } from '@/components/form/use-error-text'
import { Button } from '@/components/ui/button'
import { Pill } from '@/components/ui/pill'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { CallError, call } from '@/lib/base/http/client'
import { wordsOf } from '@/lib/base/i18n/words'
import type { MessagePart, readMessageTexts, writeMessageTexts } from '@/lib/messaging/message-texts/contract'
import { fieldOfPart } from '@/lib/messaging/message-texts/field-of-part'
import { hasCases } from '../../../_ui/has-cases'
import { seenText } from '../../../_ui/seen-text'
import { labelOf } from './labels'
import { type MessagePreview, Preview } from './preview'

const calls = () => import('@/lib/messaging/message-texts/contract')

// few texts have cases
const TextCasesNote = lazy(async () => ({ default: (await import('../../../_ui/text-cases-note')).TextCasesNote }))
// there is nothing to save before somebody types
const SaveBar = lazy(async () => ({ default: (await import('@/components/form/save-bar')).SaveBar }))

type Values = Record<string, string>

type Props = {
  id: string
  message: CallOutput<typeof readMessageTexts>
  /** The preview of the stored message. */
  shown: MessagePreview
  localeId: string
  domainId: string | null
  /** The code of the language. */
  lang: string
}

const valuesOf = ({ version, parts }: Props['message']): Values => ({
  updatedAt: version,
  ...Object.fromEntries(parts.map(({ part, text, inherited }) => [fieldOfPart(part), text ?? inherited])),
})

/** The texts of a message in one form, beside a preview of the message. */
export function MessageEditor({ id, message, shown, localeId, domainId, lang }: Props) {
  const stored = valuesOf(message)
  const sent = useRef<string[]>([])
  const changed = (values: Values, before: Values) =>
    message.parts.flatMap(({ part }) => {
      const text = seenText(values[fieldOfPart(part)] ?? '')
      return text === before[fieldOfPart(part)] ? [] : [{ part, text }]
    })
  const form: ContractForm<Values> = useContractForm<typeof writeMessageTexts, Values>(
    () => calls().then((contracts) => contracts.writeMessageTexts),
    {
      parts: { params: { id } },
      defaultValues: stored,
      toBody: (values) => {
        const texts = changed(values, form.form.formState.defaultValues as Values)
        sent.current = texts.map(({ part }) => part)
        return { localeId, domainId, version: values.updatedAt, texts }
      },
      fieldOf: (field) => fieldOfPart(sent.current[Number(/^texts\.(\d+)\./.exec(field)?.[1])] ?? field),
    },
  )
  const { isDirty } = form.form.formState
  const lastVersion = useRef(stored.updatedAt)
  // after the page has read them again, as after saving: another version, and the texts that emptied fields have now
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version asks
  useEffect(() => {
    // the form opened with this version: a reset would render all of it again
    if (lastVersion.current !== stored.updatedAt && !isDirty) form.form.reset(stored)
    lastVersion.current = stored.updatedAt
  }, [stored.updatedAt])
  return (
    <Form form={form} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <FormErrors />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-8 @min-[64rem]:grid-cols-[minmax(0,30rem)_minmax(0,1fr)] @min-[64rem]:items-start">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {message.parts.map((part) => (
            <Part key={part.part} form={form} part={part} lang={lang} ofDomain={domainId !== null} />
          ))}
        </div>
        <div className="min-w-0 @min-[64rem]:sticky @min-[64rem]:top-[calc(var(--sticky-top)+1.25rem)]">
          <LivePreview id={id} of={{ localeId, domainId }} parts={message.parts} shown={shown} lang={lang} />
        </div>
      </div>
      <Bar form={form} parts={message.parts} />
    </Form>
  )
}

type PartProps = { form: ContractForm<Values>; part: MessagePart; lang: string; ofDomain: boolean }

/** One text: whose it is, what it may contain, and the button that restores the inherited text. */
function Part({ form, part: { part, source, inherited, names }, lang, ofDomain }: PartProps) {
  const t = useTranslations('message-texts')
  const words = wordsOf(t)
  const { setValue } = useFormMethods<Values>()
  const name = fieldOfPart(part)
  const value = useWatch({ name }) as string
  const isOwn = value.trim() !== '' && value !== inherited
  const listed = (isNeeded: boolean) =>
    names
      .filter((argument) => argument.needed === isNeeded)
      .map(({ name }) => {
        const key = `arguments.${name}`
        return words.has(key) ? `{${name}} — ${words(key)}` : `{${name}}`
      })
  const [neededNames, otherNames] = [listed(true), listed(false)]
  const hints = [
    neededNames.length > 0 ? t('needed', { names: neededNames.join('; ') }) : null,
    otherNames.length > 0 ? t('allowed', { names: otherNames.join('; ') }) : null,
  ].filter((hint) => hint !== null)
  const props = {
    name: fieldsOf(form)(name),
    label: labelOf(words, part),
    maxLength: 4000,
    ...(hints.length > 0 ? { hint: hints.join(' ') } : {}),
  }
  const long = source.includes('\n') || source.length > 45 || hasCases(source)
  return (
    <div className="grid gap-1.5">
      {long ? <FormTextarea {...props} rows={3} /> : <FormText {...props} />}
      {hasCases(value) ? (
        <Suspense>
          <TextCasesNote text={value} lang={lang} />
        </Suspense>
      ) : null}
      {isOwn ? (
        <div className="flex flex-wrap items-center gap-2">
          <Pill tone="info">{t(ofDomain ? 'ownOfDomain' : 'ownOfLanguage')}</Pill>
          <Button variant="quiet" size="S" onClick={() => setValue(name, inherited, { shouldDirty: true })}>
            <Undo2 aria-hidden="true" className="size-4" />
            {t(ofDomain ? 'resetDomain' : 'reset')}
            <span className="sr-only">: {labelOf(words, part)}</span>
          </Button>
        </div>
      ) : null}
    </div>
  )
}

type LiveProps = {
  id: string
  of: { localeId: string; domainId: string | null }
  parts: readonly MessagePart[]
  shown: MessagePreview
  lang: string
}

/** How many milliseconds after typing the preview is read again. */
const previewDelay = 350

/** The preview of the typed text. While the text is invalid, it shows the last valid preview, and says so. */
function LivePreview({ id, of: { localeId, domainId }, parts, shown, lang }: LiveProps) {
  const errorText = useErrorText()
  const t = useTranslations('message-texts')
  const words = wordsOf(t)
  const values = useWatch() as Values
  const [live, setLive] = useState<{ shown: MessagePreview; fault: string | null }>({ shown, fault: null })
  const texts = parts.flatMap(({ part, text, inherited }) => {
    const typed = values[fieldOfPart(part)] ?? ''
    return typed === (text ?? inherited) ? [] : [{ part, text: typed }]
  })
  const textsKey = JSON.stringify(texts)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts that are asked for say when
  useEffect(() => {
    if (texts.length === 0) return setLive({ shown, fault: null })
    const leaving = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const { previewMessageTexts } = await calls()
        const next = await call(
          previewMessageTexts,
          { params: { id }, body: { localeId, domainId, texts } },
          { signal: leaving.signal },
        )
        if (!leaving.signal.aborted) setLive({ shown: next, fault: null })
      } catch (thrown) {
        if (leaving.signal.aborted) return
        const [fault] = thrown instanceof CallError ? thrown.errorList : []
        const part = texts[Number(/^texts[.[](\d+)/.exec(fault?.field ?? '')?.[1])]?.part
        const faultText = fault
          ? t('previewFault', { part: part ? labelOf(words, part) : '', fault: errorText(fault.code, fault.params) })
          : t('previewFailed')
        setLive((before) => ({ ...before, fault: faultText }))
      }
    }, previewDelay)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [textsKey, shown, localeId, domainId])
  return <Preview shown={live.shown} lang={lang} fault={live.fault} />
}

function Bar({ form, parts }: { form: ContractForm<Values>; parts: readonly MessagePart[] }) {
  const words = wordsOf(useTranslations('message-texts'))
  const { gone } = useGone()
  const { errors, isDirty } = useFormState<Values>()
  const values = useWatch() as Values
  const before = form.form.formState.defaultValues as Values
  const names = parts.flatMap(({ part }) =>
    values[fieldOfPart(part)] === before[fieldOfPart(part)] ? [] : [labelOf(words, part)],
  )
  if (gone || !isDirty || names.length === 0) return null
  return (
    <Suspense>
      <SaveBar
        names={names}
        errors={countErrors(errors)}
        failure={null}
        pending={form.pending}
        onErrors={() => {
          const first = document.querySelector('form [aria-invalid=true]')
          if (first?.id) reveal(first.id)
        }}
        onCancel={form.cancel}
      />
    </Suspense>
  )
}
