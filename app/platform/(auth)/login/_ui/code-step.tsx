import { getTranslations } from 'next-intl/server'
import { stepFormId } from '@/components/plain/public-form'
import { LinkButton } from '@/components/ui/text-link'
import { wordsOf } from '@/lib/base/i18n/words'
import type { CodeFlow, FlowId } from '@/lib/sign-in/attempts/contract'
import { CodeBoxes } from '../../_ui/code-boxes'
import { FailureAlert } from '../../_ui/failure-alert'
import { FieldMessage } from '../../_ui/field-message'
import { type FormFailure, otherFailure } from '../../_ui/form-failure'
import { NotReceived } from '../../_ui/not-received'
import { RunningTime } from '../../_ui/running-time'
import { StepButton } from '../../_ui/step-button'
import { StepHeading, stepHeadingId } from '../../_ui/step-heading'
import { type Attempt, AttemptForm } from './attempt-form'
import { OtherFlows } from './other-flows'
import { SigningInAs } from './signing-in-as'

type Props = {
  flow: CodeFlow
  attempt: Attempt
  others: FlowId[]
  back: string
  failed: FormFailure | null
  /** In how many seconds a code may be requested, and when this attempt's code expires, if it has one. */
  code: { resendIn: number; endTime: string | null } | null
  codeDigits: number
  /** Whether another code was just sent in place of the first. */
  again: boolean
}

/** Errors after which only a new code helps. */
const dead = new Set(['errorCodeExpired', 'errorCodeAttempts'])
const resendForm = 'resend-form'
const codeFieldId = 'sign-in-code'

/** Asks for the code from a mail or an SMS. */
export async function CodeStep({ flow, attempt, others, back, failed, code, codeDigits, again }: Props) {
  const [t, tCommon, errors] = await Promise.all([
    getTranslations('entry.code'),
    getTranslations('common'),
    getTranslations('errors'),
  ])
  const fault = failed?.errors.code
  const now = Date.now()
  const endsAt = code?.endTime ? Date.parse(code.endTime) : null
  const awaited = endsAt !== null && endsAt > now && !(fault && dead.has(fault))
  const resendIn = code?.resendIn ?? 0
  const limited = failed?.failure.kind === 'codeLimit'
  const error = fault && wordsOf(errors)(fault === 'errorEmpty' ? 'errorCodeEmpty' : fault)
  const lead = awaited
    ? t(`${flow}.${again ? 'again' : 'lead'}`, { count: codeDigits })
    : failed
      ? undefined
      : t(resendIn > 0 ? 'elsewhereWait' : 'elsewhere')
  const wait = resendIn > 0 ? <RunningTime label={t('resendIn')} until={now + resendIn * 1000} data-wait /> : null
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={lead} opens={!awaited && !failed}>
        {t(`${flow}.title`)}
      </StepHeading>
      <SigningInAs identifier={attempt.identifier} back={back} />
      <FailureAlert announced={awaited} failure={otherFailure(failed, ['code'])} fields={{}} />
      <FieldMessage>{error}</FieldMessage>
      {awaited ? (
        <AttemptForm form="code" attempt={attempt} flow={flow} id={stepFormId} labelledBy={stepHeadingId}>
          <CodeBoxes
            id={codeFieldId}
            name="code"
            label={t('label')}
            error={error}
            expired={wordsOf(errors)('errorCodeExpired')}
            length={codeDigits}
          >
            <RunningTime label={t('endsIn')} until={endsAt} data-expires={codeFieldId} />
            {wait}
            <LinkButton type="submit" form={resendForm} data-after-wait className="pointer-coarse:min-h-11">
              {t('resend')}
            </LinkButton>
          </CodeBoxes>
          <StepButton>{tCommon('continue')}</StepButton>
        </AttemptForm>
      ) : (
        <>
          {error ? (
            <p role="alert" className="text-danger">
              {error}
            </p>
          ) : null}
          {limited ? null : (
            <>
              {wait ? <div className="text-ink-second">{wait}</div> : null}
              <StepButton form={resendForm} data-after-wait>
                {t('resend')}
              </StepButton>
            </>
          )}
        </>
      )}
      <AttemptForm form="flow" attempt={attempt} flow={flow} id={resendForm}>
        {code ? <input type="hidden" name="before" value={code.endTime ?? ''} /> : null}
      </AttemptForm>
      {awaited ? <NotReceived advice={`${t(`${flow}.advice`)} ${t(`${flow}.nowhere`)}`} /> : null}
      <OtherFlows flows={others} attempt={attempt} />
    </div>
  )
}
