'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { CodeField } from '@/components/form/code-field'
import { Field } from '@/components/form/field'
import { FieldError } from '@/components/form/field-error'
import { inputClasses } from '@/components/form/input-classes'
import { useErrorText } from '@/components/form/use-error-text'
import { useLimitEnd } from '@/components/form/use-limit-end'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Check, ChevronDown } from '@/components/ui/icons'
import { LinkButton } from '@/components/ui/text-link'
import { useSecondsTo } from '@/components/ui/use-clock'
import type { Failure } from './failure'
import { type Country, splitMobile, wholeMobile } from './mobile-number'
import { NotReceived } from './not-received'
import { TimeLeft } from './time-left'
import type { useMobileProof } from './use-mobile-proof'
import { useMobileText } from './use-mobile-text'

export const mobileFieldId = 'person-mobile'
const codeFieldId = 'person-mobile-code'

type Proof = ReturnType<typeof useMobileProof>
type Props = {
  proof: Proof
  countries: readonly Country[]
  /** ISO 3166-1 alpha-2 of the country that is offered first. */
  home: string
  codeDigits: number
  /** The error of the mobile in the form, and the function that removes it, from useSubmission. */
  error: string | undefined
  forget: (field: string) => void
}

type EndOf = ReturnType<typeof useLimitEnd>
type Fault = { code: string; params?: ReturnType<EndOf> }

/** The failures that the field itself shows; the summary shows the others. */
function faultOf(failure: Failure | null, field: 'mobile' | 'code', endOf: EndOf): Fault | undefined {
  if (!failure) return undefined
  const fieldCode = 'errorList' in failure ? failure.errorList.find((fault) => fault.field === field)?.code : undefined
  if (fieldCode) return { code: fieldCode }
  const isCodeFault =
    field === 'code' || ('errorList' in failure && failure.errorList.some(({ field }) => field === 'code'))
  if (isCodeFault) return undefined
  switch (failure.kind) {
    case 'tech':
    case 'offline':
      return { code: 'techError' }
    case 'wait':
      return { code: 'tooManyRequestsUntil', params: endOf(failure.until) }
    case 'codeLimit':
      return failure.until
        ? { code: 'codeDailyLimitSentUntil', params: endOf(failure.until) }
        : { code: 'codeDailyLimitSent' }
    case 'expired':
      return { code: 'errorCodeExpired' }
    case 'refused':
      return { code: failure.code }
    default:
      return { code: 'errorMobile' }
  }
}

/**
 * A mobile with its country. A code proves it, which is sent when its last digit is entered
 * (docs/rules/codes.md#entering).
 */
export function MobileProof(props: Props) {
  const { proof, error, forget } = props
  const t = useTranslations('person')
  const errorText = useErrorText()
  const endOf = useLimitEnd()
  const { field, sent, verified } = proof
  const mobile = useMobileText(verified ?? sent?.mobile ?? '')
  if (!field) return null
  const label = field.required ? t('mobile') : t('optional', { label: t('mobile') })
  if (!sent && !verified) return <NumberEntry {...props} label={label} />
  const fault = faultOf(proof.failure, 'mobile', endOf) ?? (error ? { code: error } : undefined)
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5">
        <p className="font-medium text-table">{label}</p>
        <div
          id={mobileFieldId}
          tabIndex={-1}
          data-quiet-focus
          className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 rounded-control border border-line bg-sunken px-3.5 py-1.5"
        >
          <span className="tabular-nums">{mobile}</span>
          {verified ? (
            <span className="flex items-center gap-1.5 text-note text-ok">
              <Check className="size-4" />
              {t('verified')}
            </span>
          ) : null}
          <LinkButton
            onClick={() => {
              proof.change()
              forget('mobile')
            }}
            className="text-table pointer-coarse:min-h-11"
          >
            {t('change')}
          </LinkButton>
        </div>
        {fault ? (
          <div role="alert">
            <FieldError id={undefined}>{errorText(fault.code, fault.params)}</FieldError>
          </div>
        ) : null}
      </div>
      {sent && !verified ? <CodeEntry {...props} mobile={mobile} /> : null}
      <p role="status" className="sr-only">
        {verified ? t('verified') : ''}
      </p>
    </div>
  )
}

function NumberEntry({ proof, countries, home, error, forget, label }: Props & { label: string }) {
  const t = useTranslations('person')
  const errorText = useErrorText()
  const endOf = useLimitEnd()
  const [country, setCountry] = useState(home)
  const [number, setNumber] = useState('')
  const chosen = countries.find(({ code }) => code === country)
  const fault = faultOf(proof.failure, 'mobile', endOf) ?? (error ? { code: error } : undefined)
  const type = (text: string, countryCode: string) => {
    const split = splitMobile(text, countries, countryCode)
    setCountry(split.country)
    setNumber(split.rest)
    proof.setTyped(
      wholeMobile(
        split.rest,
        countries.find(({ code }) => code === split.country),
      ),
    )
    proof.forget()
    forget('mobile')
  }
  const ask = () => {
    forget('mobile')
    void proof.ask(wholeMobile(number, chosen))
  }
  return (
    <div className="grid gap-3">
      <Field id={mobileFieldId} label={label} error={fault && errorText(fault.code, fault.params)}>
        {(bound) => (
          <div className="flex">
            <div className="relative flex shrink-0 items-center gap-1 rounded-l-control border border-line-field border-r-0 bg-surface pr-2.5 pl-3.5 focus-within:outline-2 focus-within:outline-brand focus-within:outline-offset-1">
              <span aria-hidden="true" className="tabular-nums">
                {chosen?.callingCode}
              </span>
              <ChevronDown className="size-4 text-ink-second" />
              <select
                aria-label={t('country')}
                value={country}
                onChange={(event) => type(number, event.target.value)}
                autoComplete="tel-country-code"
                className="absolute inset-0 cursor-pointer opacity-0"
              >
                {countries.map(({ code, name, callingCode }) => (
                  <option key={code} value={code}>
                    {name} ({callingCode})
                  </option>
                ))}
              </select>
            </div>
            <input
              {...bound}
              name="mobile"
              type="tel"
              inputMode="tel"
              autoComplete="tel-national"
              maxLength={32}
              value={number}
              onChange={(event) => type(event.target.value, country)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                ask()
              }}
              enterKeyHint="send"
              className={cn(inputClasses, 'h-12 min-w-0 rounded-l-none')}
            />
          </div>
        )}
      </Field>
      <Button variant="secondary" pending={proof.pending === 'send'} onClick={ask} className="justify-self-start">
        {t('getCode')}
      </Button>
    </div>
  )
}

/** Errors after which only a new code helps. */
const dead = new Set(['errorCodeExpired', 'errorCodeAttempts'])

function CodeEntry({ proof, codeDigits, forget, mobile }: Props & { mobile: string }) {
  const t = useTranslations('person')
  const tCode = useTranslations('entry.code')
  const errorText = useErrorText()
  const endOf = useLimitEnd()
  const [value, setValue] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const { sent, pending, failure } = proof
  const resendIn = useSecondsTo(sent?.resendAt ?? null)
  const endsIn = useSecondsTo(sent?.endsAt ?? null)

  // a new code begins with an empty field; what was typed before hydration stays
  const [endsAt, setEndsAt] = useState(sent?.endsAt)
  if (sent && sent.endsAt !== endsAt) {
    setEndsAt(sent.endsAt)
    setValue('')
  }
  // after a code was sent or a wrong one entered, the person enters the code next
  useEffect(() => {
    if (sent?.endsAt) input.current?.focus()
  }, [sent?.endsAt])
  useEffect(() => {
    if (!failure) return
    setValue('')
    input.current?.focus()
  }, [failure])

  if (!sent) return null
  const awaited = sent.endsAt !== null
  const timeOver = awaited && endsIn === 0
  const fault = faultOf(failure, 'code', endOf)?.code ?? (timeOver ? 'errorCodeExpired' : undefined)
  const codeDead = fault !== undefined && dead.has(fault)
  const asking = pending === 'send'
  const sentText = t(sent.again ? 'sentAgain' : 'sent', { mobile })
  const status = (
    <div className="text-ink-second text-note">
      {pending === 'verify' ? t('checking') : null}
      {asking ? tCode('sending') : null}
      {pending === null && resendIn > 0 ? <TimeLeft label={tCode('resendIn')} seconds={resendIn} /> : null}
      {pending === null && resendIn === 0 ? (
        <LinkButton onClick={() => void proof.ask(sent.mobile)} className="pointer-coarse:min-h-11">
          {tCode('resend')}
        </LinkButton>
      ) : null}
    </div>
  )
  return (
    <div className="grid gap-3">
      {awaited ? (
        <CodeField
          id={codeFieldId}
          name="code"
          inputRef={input}
          label={tCode('label')}
          aside={
            <>
              {endsIn > 0 && !codeDead ? <TimeLeft label={tCode('endsIn')} seconds={endsIn} /> : null}
              {status}
            </>
          }
          length={codeDigits}
          value={value}
          error={fault && errorText(fault)}
          onChange={(digits) => {
            setValue(digits)
            if (digits && failure) proof.forget()
          }}
          onComplete={(code) => {
            forget('mobile')
            void proof.enter(code)
          }}
        />
      ) : (
        <div className="grid gap-1.5">
          <p className="text-ink-second">{tCode('elsewhere')}</p>
          {status}
        </div>
      )}
      <p role="status" className="sr-only">
        {pending === 'verify' ? t('checking') : fault ? errorText(fault) : sentText}
      </p>
      <p className="text-ink-second text-note">{sentText}</p>
      <NotReceived advice={tCode('sms_code.advice')} />
    </div>
  )
}
