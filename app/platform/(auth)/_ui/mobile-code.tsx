import { getLocale, getTranslations } from 'next-intl/server'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { buttonClasses } from '@/components/ui/button-classes'
import { LinkButton } from '@/components/ui/text-link'
import { wordsOf } from '@/lib/base/i18n/words'
import { mobileText } from '@/lib/base/text/mobile'
import type { MobileCodeState } from '@/lib/sign-in/codes/mobile-code'
import { CodeBoxes } from './code-boxes'
import { FailureAlert } from './failure-alert'
import { FieldMessage } from './field-message'
import type { FormFailure } from './form-failure'
import { MobileRow } from './mobile-row'
import { mobileWords } from './mobile-words'
import { NotReceived } from './not-received'
import { RunningTime } from './running-time'
import { StepButton } from './step-button'
import { StepHeading, stepHeadingId } from './step-heading'

type Props = {
  /** As E.164. */
  mobile: string
  code: MobileCodeState | null
  failed: FormFailure | null
  /** Whether another code was just sent in place of the first. */
  again: boolean
  codeDigits: number
  /** The address of the step that asks for another number. */
  change: string
}

const codeId = 'person-mobile-code'
const resendForm = 'resend-form'
/** Errors after which only a new code helps. */
const dead = new Set(['errorCodeExpired', 'errorCodeAttempts'])

/** Asks for the code that was sent to a mobile. It proves the mobile (docs/rules/codes.md#entering). */
export async function MobileCode({ mobile, code, failed, again, codeDigits, change }: Props) {
  const [t, tCode, tCommon, errors, locale, { mobile: mobileError, code: fault, other }] = await Promise.all([
    getTranslations('person'),
    getTranslations('entry.code'),
    getTranslations('common'),
    getTranslations('errors'),
    getLocale(),
    mobileWords(failed),
  ])
  const now = Date.now()
  const endsAt = code?.endTime ? Date.parse(code.endTime) : null
  const awaited = endsAt !== null && endsAt > now && !(fault && dead.has(fault.code))
  const number = mobileText(mobile, locale)
  const wait =
    code && code.resendIn > 0 ? (
      <RunningTime label={tCode('resendIn')} until={now + code.resendIn * 1000} data-wait />
    ) : null
  return (
    <div data-step className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={awaited ? t(again ? 'sentAgain' : 'sent', { mobile: number }) : undefined}>
        {tCode('sms_code.title')}
      </StepHeading>
      <FailureAlert announced={awaited} failure={other} fields={{}} />
      <FieldMessage>{fault?.text}</FieldMessage>
      <MobileRow label={t('mobile')} mobile={number} verified={false} error={mobileError?.text} change={change} />
      {awaited ? (
        <PublicForm form="code" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
          <input type="hidden" name="mobile" value={mobile} />
          <CodeBoxes
            id={codeId}
            name="code"
            label={tCode('label')}
            error={fault?.text}
            expired={wordsOf(errors)('errorCodeExpired')}
            length={codeDigits}
          >
            <RunningTime label={tCode('endsIn')} until={endsAt} data-expires={codeId} />
            {wait}
            <LinkButton type="submit" form={resendForm} data-after-wait className="pointer-coarse:min-h-11">
              {tCode('resend')}
            </LinkButton>
          </CodeBoxes>
          <StepButton>{tCommon('continue')}</StepButton>
        </PublicForm>
      ) : mobileError ? (
        <a href={change} className={buttonClasses({ size: 'L' })}>
          {t('otherMobile')}
        </a>
      ) : (
        <>
          {fault ? (
            <p role="alert" className="text-danger">
              {fault.text}
            </p>
          ) : null}
          {wait ? <div className="text-ink-second">{wait}</div> : null}
          <StepButton form={resendForm} data-after-wait>
            {tCode('resend')}
          </StepButton>
        </>
      )}
      <PublicForm form="mobile" id={resendForm} className="hidden">
        <input type="hidden" name="mobile" value={mobile} />
        <input type="hidden" name="before" value={code?.endTime ?? ''} />
      </PublicForm>
      {awaited ? <NotReceived advice={tCode('sms_code.advice')} /> : null}
    </div>
  )
}
