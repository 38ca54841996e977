import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { LinkButton } from '@/components/ui/text-link'
import type { CodeFlow } from '@/lib/access/authentication-schemas/flow-ids'
import type { CodeState } from '@/lib/sign-in/codes/redis-code'
import { CodeBoxes } from './code-boxes'
import { FailureAlert } from './failure-alert'
import { FieldMessage } from './field-message'
import { type FormFailure, formTold, otherFailure } from './form-failure'
import { NotReceived } from './not-received'
import { RunningTime } from './running-time'
import { StepButton } from './step-button'
import { StepHeading, stepHeadingId } from './step-heading'

type Props = {
  flow: CodeFlow
  /** Null if the server can't tell, because Redis is away. */
  code: CodeState | null
  codeDigits: number
  failed: FormFailure | null
  /** What has failed then, unless it is signing in. */
  action?: string
  /** Where the code was sent; `again` if it takes the place of an earlier one. */
  sent: { first: string; again: string }
  /** What to do if it doesn't arrive. */
  advice: string
  /** For whom the code is, as the page shows it, and as both forms send it. */
  receiver: ReactNode
  fields: ReactNode
  /** The form that requests another code. */
  resendForm: 'flow' | 'mobile'
  /** What the page offers if no other code can be requested; it says itself why. */
  closed?: ReactNode
}

const fieldId = 'step-code'
const resendFormId = 'resend-form'

/** Asks for the code that was sent; without one that can be entered it says why, and offers to send another. */
export function CodeEntry({ flow, code, codeDigits, failed, action, sent, advice, resendForm, ...rest }: Props) {
  const { receiver, fields, closed } = rest
  const t = useTranslations('entry.code')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const now = Date.now()
  const endsAt = code?.endTime ? Date.parse(code.endTime) : 0
  const awaited = endsAt > now
  const fault = failed?.errors.code
  const error = fault && errorText(fault === 'errorEmpty' ? 'errorCodeEmpty' : fault)
  const wait =
    code && code.resendIn > 0 ? (
      <RunningTime label={t('resendIn')} until={now + code.resendIn * 1000} data-wait />
    ) : null
  const missing = failed ? undefined : t(!code ? 'unavailable' : wait ? 'elsewhereWait' : 'none')
  return (
    <>
      <StepHeading lead={awaited ? <Sent {...sent} /> : missing} opens={!awaited && !failed}>
        {t(`${flow}.title`)}
      </StepHeading>
      {receiver}
      <FailureAlert
        announced={awaited}
        failure={closed ? null : otherFailure(failed, ['code'])}
        {...(action && { action })}
      />
      <FieldMessage>{awaited ? error : undefined}</FieldMessage>
      {awaited ? (
        <PublicForm form="code" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
          {fields}
          <CodeBoxes
            id={fieldId}
            name="code"
            label={t('label')}
            error={error}
            expired={errorText('errorCodeExpired')}
            length={codeDigits}
          >
            <RunningTime label={t('endsIn')} until={endsAt} data-expires={fieldId} />
            {wait}
            <LinkButton type="submit" form={resendFormId} data-after-wait className="pointer-coarse:min-h-11">
              {t('resend')}
            </LinkButton>
          </CodeBoxes>
          <StepButton>{tCommon('continue')}</StepButton>
        </PublicForm>
      ) : (
        <>
          {error ? (
            <p role="alert" className="text-danger">
              {error}
            </p>
          ) : null}
          {closed === undefined ? (
            <>
              {wait ? <div className="text-ink-second">{wait}</div> : null}
              <StepButton form={resendFormId} data-after-wait>
                {t('resend')}
              </StepButton>
            </>
          ) : (
            closed
          )}
        </>
      )}
      <PublicForm form={resendForm} id={resendFormId} className="hidden">
        {fields}
        {code ? <input type="hidden" name="before" value={code.endTime ?? ''} /> : null}
      </PublicForm>
      {awaited ? <NotReceived advice={advice} /> : null}
    </>
  )
}

/** Says where the code was sent, and whether another one was just sent. */
const Sent = async ({ first, again }: Props['sent']) => ((await formTold())?.tells.again === true ? again : first)
