'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { CodeField } from '@/components/form/code-field'
import { useErrorText } from '@/components/form/use-error-text'
import { LinkButton } from '@/components/ui/text-link'
import type { CodeFlow } from '@/lib/entry/sign-in/contract'
import { FailureSummary } from './failure-summary'
import type { FlowStepProps } from './flow-step'
import { OtherFlows } from './other-flows'
import { sendProof } from './send-proof'
import { SigningInAs } from './signing-in-as'
import { StepTitle } from './step-title'
import { SubmitButton } from './submit-button'
import { minutesAndSeconds, useSecondsTo } from './use-clock'
import { useCode } from './use-code'
import { useSubmission } from './use-submission'

const fieldId = 'sign-in-code'

/** Codes whose entry is over: only a new one helps. */
const dead = new Set(['errorCodeExpired', 'errorCodeAttempts'])

/** Asks for the code from a mail or an SMS, which is on its way when the step opens. */
function CodeStep({ flow, ...props }: FlowStepProps & { flow: CodeFlow }) {
  const { attempt, others, moved, codeDigits, onSelect, onChange, onExpired } = props
  const t = useTranslations('entry.code')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const { idAttribute, identifier } = attempt
  const known = attempt.code?.flow === flow ? attempt.code : null
  const code = useCode({ idAttribute, identifier, flow, known })
  const resendIn = useSecondsTo(code.sent?.resendAt ?? null)
  const endsIn = useSecondsTo(code.sent?.endsAt ?? null)
  const [value, setValue] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const formElement = useRef<HTMLFormElement>(null)

  const { failed, errors, pending, submit, forget, reset } = useSubmission({
    check: () => (value === '' ? [{ field: 'code', code: 'errorEmpty' }] : []),
    send: () => sendProof(props, { flow, code: value }),
    onExpired,
  })

  // a wrong code makes room for the right one
  const failures = failed?.count ?? 0
  useEffect(() => {
    if (failures === 0) return
    setValue('')
    input.current?.focus()
  }, [failures])

  const expired = code.failure?.kind === 'expired'
  useEffect(() => {
    if (expired) onExpired()
  }, [expired, onExpired])

  const askAgain = async () => {
    reset()
    setValue('')
    if (await code.ask()) input.current?.focus()
  }

  const error = errors.code
  const over = (error && dead.has(error)) || (code.sent !== null && code.sent.endsAt !== null && endsIn === 0)
  const fieldError = error ? errorText(error) : over ? errorText('errorCodeExpired') : undefined
  const refused = code.failure && !expired ? { failure: code.failure, count: 1 } : null
  // what is wrong with the code stands at the field; the summary is for everything else
  const summary = failed && failed.failure.kind !== 'form' && failed.failure.kind !== 'fields' ? failed : refused
  return (
    <div data-step className="grid animate-arrive gap-6">
      <StepTitle moved={moved} lead={t(`${flow}.lead`, { count: codeDigits })}>
        {t(`${flow}.title`)}
      </StepTitle>
      <SigningInAs identifier={identifier} onChange={onChange} />
      <FailureSummary failed={summary} fields={{}} />
      <form ref={formElement} noValidate onSubmit={submit} className="grid gap-6">
        <div className="grid gap-3">
          <CodeField
            id={fieldId}
            name="code"
            inputRef={input}
            label={t('label')}
            length={codeDigits}
            value={value}
            error={fieldError}
            onChange={(digits) => {
              setValue(digits)
              if (digits) forget('code')
            }}
            onComplete={() => formElement.current?.requestSubmit()}
          />
          <div className="text-ink-second text-note" aria-live="polite">
            {code.asking ? (
              t('sending')
            ) : resendIn > 0 ? (
              <>
                {t('resendIn')} <span className="font-medium text-ink tabular-nums">{minutesAndSeconds(resendIn)}</span>
              </>
            ) : (
              <LinkButton onClick={askAgain} className="pointer-coarse:min-h-11">
                {t('resend')}
              </LinkButton>
            )}
          </div>
        </div>
        <SubmitButton pending={pending}>{tCommon('continue')}</SubmitButton>
      </form>
      <details className="text-note text-ink-second">
        <summary className="w-fit cursor-pointer">{t('notReceived')}</summary>
        <p className="mt-2">{t(`${flow}.advice`)}</p>
      </details>
      <OtherFlows flows={others} onSelect={onSelect} />
    </div>
  )
}

export const EmailCodeStep = (props: FlowStepProps) => <CodeStep {...props} flow="email_code" />
export const SmsCodeStep = (props: FlowStepProps) => <CodeStep {...props} flow="sms_code" />
