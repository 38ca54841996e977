import { getTranslations } from 'next-intl/server'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { LinkButton, TextLink } from '@/components/ui/text-link'
import type { Failure } from '../../_ui/failure'
import type { SentLink } from '../../_ui/form-failure'
import { NotReceived } from '../../_ui/not-received'
import { RunningTime } from '../../_ui/running-time'
import { StepButton } from '../../_ui/step-button'
import { StepHeading, stepHeadingId } from '../../_ui/step-heading'
import { dailyLimitOf, WhyNotSent } from './why-not-sent'

/** Says that the link was sent if an account exists. The text is the same if none exists. */
export async function LinkSent({ sent, failure }: { sent: SentLink; failure: Failure | null }) {
  const [t, tForgot] = await Promise.all([getTranslations('recovery.forgot.sent'), getTranslations('recovery.forgot')])
  const { resendAt, again } = sent
  const email = sent.typed('email')
  const lead = t.rich('lead', { email: () => <strong className="wrap-anywhere font-medium text-ink">{email}</strong> })
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={lead}>{t('title')}</StepHeading>
      {again ? (
        <p role="status" className="text-ink-second">
          {t('again')}
        </p>
      ) : null}
      <WhyNotSent failure={failure} />
      {dailyLimitOf(failure) ? null : (
        <PublicForm form="ask" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="before" value={resendAt} />
          {resendAt > Date.now() ? (
            <div className="text-ink-second">
              <RunningTime label={t('resendIn')} until={resendAt} data-wait />
            </div>
          ) : null}
          <StepButton data-after-wait>{t('resend')}</StepButton>
        </PublicForm>
      )}
      <NotReceived label={t('notReceived')} advice={t('advice')} />
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-3">
        <PublicForm form="change">
          <input type="hidden" name="email" value={email} />
          <LinkButton type="submit" className="pointer-coarse:min-h-11">
            {t('other')}
          </LinkButton>
        </PublicForm>
        <TextLink href="/platform/login" className="inline-flex items-center pointer-coarse:min-h-11">
          {tForgot('toSignIn')}
        </TextLink>
      </div>
    </div>
  )
}
