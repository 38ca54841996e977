'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import type { CallError } from '@/lib/base/http/client'
import { minutesAndSeconds } from '@/lib/base/text/minutes'
import { Button } from '../ui/button'
import { useSecondsTo } from '../ui/use-clock'
import { CodeField } from './code-field'
import { useFieldId, useFirstStep, useFormMethods } from './form'
import type { FormFieldProps } from './form-text'

/** The answer to the request of a code; `to` is the masked address that it was sent to. */
type SentCode = { resendIn: number; endTime: string | null; to?: string }
type CodeAnswer = { ok: true; output: SentCode } | { ok: false; error: CallError } | undefined

type Props = Omit<FormFieldProps<string | null | undefined>, 'hint'> & {
  /** The number of digits. */
  length: number
  /** Requests a code. */
  send: () => Promise<CodeAnswer>
  /** The text of a failed request. */
  reason: (error: CallError) => string
  /** The address that the code goes to, if the person typed it. */
  to?: string
  /** Called after a code was sent: only then the form shows its submit button. Until then Enter sends the code. */
  onSent: () => void
  /** Called with the last digit, as `form.submit`. */
  onComplete?: () => void
}

/** A code that the person requests here: the button that sends it, then the digits and when it may be sent again. */
export function FormCode({ name, label, length, send, reason, to, onSent, onComplete }: Props) {
  const t = useTranslations('account.code')
  const id = useFieldId(name, label, { secret: true })
  const { setValue } = useFormMethods()
  const { field, fieldState, formState } = useController({ name })
  const fault = fieldState.error
  const isOnlyError = Object.keys(formState.errors).length === 1
  useEffect(() => {
    // a wrong code is cleared, so that the last digit of the next one sends it (docs/rules/codes.md#entering)
    if (fault?.type !== 'server') return
    setValue(name, '')
    // the summary above has taken the focus
    if (isOnlyError) document.getElementById(id)?.focus()
  }, [fault, isOnlyError, id, name, setValue])
  const [sent, setSent] = useState<{ to: string; again: number } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const busy = useRef(false)
  const wait = useSecondsTo(sent?.again ?? null)
  const ask = async () => {
    if (busy.current) return
    busy.current = true
    setPending(true)
    const outcome = await send().finally(() => {
      busy.current = false
    })
    setPending(false)
    if (!outcome) return
    setFailure(outcome.ok ? null : reason(outcome.error))
    if (!outcome.ok) return
    setSent({ to: outcome.output.to ?? to ?? '', again: Date.now() + outcome.output.resendIn * 1000 })
    // without validation: an empty field is no fault yet
    setValue(name, '')
    onSent()
  }
  useFirstStep(sent ? null : { name, take: ask })
  const problem = failure ? (
    <p role="alert" className="text-danger text-note">
      {failure}
    </p>
  ) : null
  if (!sent)
    return (
      <div className="grid justify-items-start gap-2">
        <Button type="submit" pending={pending}>
          {t('send')}
        </Button>
        {problem}
      </div>
    )
  return (
    <div className="grid gap-2">
      <p role="status" className="wrap-anywhere text-ink-second text-table">
        {t('sent', { to: sent.to })}
      </p>
      <CodeField
        autoFocus
        id={id}
        name={name}
        label={label}
        error={fieldState.error?.message}
        length={length}
        value={field.value ?? ''}
        onChange={field.onChange}
        onComplete={() => onComplete?.()}
        inputRef={field.ref}
        aside={
          wait > 0 ? (
            <span role="timer">{t('againIn', { time: minutesAndSeconds(wait) })}</span>
          ) : (
            <Button variant="secondary" size="S" pending={pending} onClick={ask}>
              {t('again')}
            </Button>
          )
        }
      />
      {problem}
    </div>
  )
}
