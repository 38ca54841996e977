import type { Metadata } from 'next'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { SignOut } from '@/components/shell/sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { pickMessages } from '@/lib/base/i18n/messages'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { reportState } from '@/lib/sign-in/not-me/service'
import { DeadLink } from '../../../_ui/dead-link'
import { StepTitle } from '../../../_ui/step-title'
import { Report } from './_ui/report'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('sign-in-report')
  // the address is secret: other sites must not get it as the referrer
  return { ...(await pageTitle(t('title'))), referrer: 'no-referrer' }
}

/**
 * Asks whether a sign-in from a new device was the person's own. Opening it changes nothing, because mail scanners open
 * links too.
 */
export default async function SignInReportPage({ params }: { params: Promise<{ id: string }> }) {
  const { ctx } = await pageContext()
  const { id } = await params
  const [state, t, tCommon] = await Promise.all([
    reportState(ctx, id),
    getTranslations('sign-in-report'),
    getTranslations('common'),
  ])
  if (state.kind === 'live') {
    const messages = await getMessages()
    return (
      <PageMessages messages={pickMessages(messages, ['sign-in-report'])}>
        <Report
          id={id}
          facts={
            <KeyValues>
              <KeyValue label={t('device')}>{state.device || t('unknownDevice')}</KeyValue>
              <KeyValue label={t('date')}>
                <DateTime value={state.date} form="full" />
              </KeyValue>
              {state.ip ? <KeyValue label={t('ip')}>{state.ip}</KeyValue> : null}
            </KeyValues>
          }
        >
          <StepTitle moved={false} lead={t('lead')}>
            {t('title')}
          </StepTitle>
        </Report>
      </PageMessages>
    )
  }
  return (
    <DeadLink title={t(`dead.${state.kind}.title`)} text={t(`dead.${state.kind}.text`)}>
      {state.kind === 'accessError' ? (
        <SignOut label={t('signOut')} failed={tCommon('signOutFailed')} to={`/platform/login/device/${id}`} size="L" />
      ) : (
        <div className="grid gap-3">
          <a href="/platform/forgot-password" className={buttonClasses({ size: 'L' })}>
            {t('recover')}
          </a>
          <a href="/platform/login" className={buttonClasses({ size: 'L', variant: 'secondary' })}>
            {tCommon('toSignIn')}
          </a>
        </div>
      )}
    </DeadLink>
  )
}
