'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { CodeField } from '@/components/form/code-field'
import { focused } from '@/components/form/focused'
import { useErrorText } from '@/components/form/use-error-text'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/text-link'
import { useSecondsTo } from '@/components/ui/use-clock'
import type { CodeFlow } from '@/lib/sign-in/attempts/contract'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import { FailureSummary } from '../../_ui/failure-summary'
import { NotReceived } from '../../_ui/not-received'
import { focusTitle, StepTitle, stepForm } from '../../_ui/step-title'
import { TimeLeft } from '../../_ui/time-left'
import { useSubmission } from '../../_ui/use-submission'
import type { FlowStepProps } from './flow-step'
import { OtherFlows } from './other-flows'
import { sendProof } from './send-proof'
import { SigningInAs } from './signing-in-as'
import { takeTyped } from './type-ahead'
import { useCode } from './use-code'

const fieldId = 'sign-in-code'

/** Errors after which only a new code helps. */
const dead = new Set(['errorCodeExpired', 'errorCodeAttempts'])

/** Asks for the code from a mail or an SMS. The code is requested when the step opens. */
function CodeStep({ flow, ...props }: FlowStepProps & { flow: CodeFlow }) {
  const { attempt, others, moved, codeDigits, ahead, onSelect, onChange, onExpired } = props
  const t = useTranslations('entry.code')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const { idAttribute, identifier } = attempt
  const sentCode = attempt.code?.flow === flow ? attempt.code : null
  const code = useCode({ idAttribute, identifier, flow, known: sentCode, ahead })
  const resendIn = useSecondsTo(code.sent?.resendAt ?? null)
  const endsIn = useSecondsTo(code.sent?.endsAt ?? null)
  const [value, setValue] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const formElement = useRef<HTMLFormElement>(null)

  const { failed, errors, pending, submit, forget, reset } = useSubmission({
    check: () => (value === '' ? [{ field: 'code', code: fatal ?? 'errorCodeEmpty' }] : []),
    send: () => sendProof(props, { flow, code: value }),
    onExpired,
  })

  // a wrong code is removed to make room for the right one; a code without an answer stays, to be sent again
  const failures = failed?.count ?? 0
  const ofField = failed?.failure.kind === 'form' || failed?.failure.kind === 'fields'
  useEffect(() => {
    if (failures === 0 || !ofField) return
    setValue('')
    input.current?.focus()
  }, [failures, ofField])

  // typed before the code was requested
  useEffect(() => void takeTyped(), [])

  const expired = code.failure?.kind === 'expired'
  useEffect(() => {
    if (expired) onExpired()
  }, [expired, onExpired])

  useEffect(() => {
    if (code.again > 0) input.current?.focus()
  }, [code.again])

  /** Whether this attempt has a valid code, or has requested one. */
  const awaited = code.asking || (code.sent !== null && code.sent.endsAt !== null)
  useEffect(() => {
    // the field was removed with the focus, or the step opened without one
    if (!awaited && document.activeElement === document.body) focusTitle()
  }, [awaited])

  const askAgain = () => {
    reset()
    setValue('')
    void code.ask()
  }

  const timeOver = !code.asking && code.sent !== null && code.sent.endsAt !== null && endsIn === 0
  const error = errors.code
  const fatal = error && dead.has(error) ? error : timeOver ? 'errorCodeExpired' : undefined
  const shownError = fatal ?? error
  const fieldError = shownError ? errorText(shownError) : undefined
  const limited = code.failure?.kind === 'codeLimit'
  const mayAsk = !code.asking && !limited && resendIn === 0
  const requestFailure = code.failure && !expired ? { failure: code.failure, count: 1 } : null
  // the field shows what is wrong with the code; the summary shows everything else
  const summary = failed && !ofField ? failed : requestFailure
  const leadKey = code.again > 0 ? 'again' : 'lead'
  const lead = awaited
    ? t(`${flow}.${leadKey}`, { count: codeDigits })
    : code.sent
      ? t(mayAsk ? 'elsewhere' : 'elsewhereWait')
      : undefined

  const askButton = (
    <Button size="L" onClick={askAgain}>
      {t('resend')}
    </Button>
  )
  const wait = resendIn > 0 ? <TimeLeft label={t('resendIn')} seconds={resendIn} /> : null
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepTitle moved={moved} lead={lead}>
        {t(`${flow}.title`)}
      </StepTitle>
      <SigningInAs identifier={identifier} onChange={onChange} />
      <FailureSummary
        announced={awaited}
        failed={summary}
        fields={{}}
        onRetry={summary === requestFailure ? askAgain : undefined}
      />
      {awaited ? (
        <form ref={formElement} {...stepForm} onSubmit={submit} className="grid gap-6">
          <CodeField
            id={fieldId}
            name="code"
            inputRef={input}
            {...focused}
            label={t('label')}
            aside={
              <>
                {endsIn > 0 && !fatal ? <TimeLeft label={t('endsIn')} seconds={endsIn} /> : null}
                {code.asking ? t('sending') : wait}
                {mayAsk && !fatal ? (
                  <LinkButton onClick={askAgain} className="pointer-coarse:min-h-11">
                    {t('resend')}
                  </LinkButton>
                ) : null}
              </>
            }
            length={codeDigits}
            value={value}
            error={fieldError}
            onChange={(digits) => {
              setValue(digits)
              if (digits && !fatal) forget('code')
            }}
            onComplete={() => formElement.current?.requestSubmit()}
          />
          {fatal && mayAsk ? askButton : <AuthSubmitButton pending={pending}>{tCommon('continue')}</AuthSubmitButton>}
        </form>
      ) : mayAsk ? (
        askButton
      ) : limited ? null : (
        <div className="text-ink-second">{wait}</div>
      )}
      <p role="status" className="sr-only">
        {code.asking ? t('sending') : (fieldError ?? (code.again > 0 ? lead : ''))}
      </p>
      {awaited ? <NotReceived advice={`${t(`${flow}.advice`)} ${t(`${flow}.nowhere`)}`} /> : null}
      <OtherFlows flows={others} onSelect={onSelect} />
    </div>
  )
}

export const EmailCodeStep = (props: FlowStepProps) => <CodeStep {...props} flow="email_code" />
export const SmsCodeStep = (props: FlowStepProps) => <CodeStep {...props} flow="sms_code" />
