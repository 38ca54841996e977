import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { PlainSignOut } from '@/components/plain/plain-sign-out'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { buttonClasses } from '@/components/ui/button-classes'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { reportState } from '@/lib/sign-in/not-me/service'
import { DeadLink } from '../../../_ui/dead-link'
import { FailureAlert } from '../../../_ui/failure-alert'
import { formFailure } from '../../../_ui/form-failure'
import { StepButton } from '../../../_ui/step-button'
import { StepHeading } from '../../../_ui/step-heading'

type Props = PageProps<'/platform/login/device/[id]'>

const loaded = cache(async (id: string) => reportState((await pageContext()).ctx, id))

/** The state of the link; `done` for a person who has just reported the sign-in, and has no password to set here. */
async function stateOf({ params, searchParams }: Props) {
  const state = await loaded((await params).id)
  return state.kind === 'linkUsed' && (await searchParams).step === 'done' ? { kind: 'done' as const } : state
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const [t, { kind }] = await Promise.all([getTranslations('sign-in-report'), stateOf(props)])
  return pageTitle(t(kind === 'done' ? 'done.title' : 'title'))
}

/**
 * Asks whether a sign-in from a new device was the person's own. Opening it changes nothing, because mail scanners open
 * links too.
 */
export default async function SignInReportPage(props: Props) {
  const [state, failed, t, tCommon] = await Promise.all([
    stateOf(props),
    formFailure(),
    getTranslations('sign-in-report'),
    getTranslations('common'),
  ])
  const signIn = (variant: 'primary' | 'secondary') => (
    <a href="/platform/login" className={buttonClasses({ size: 'L', variant })}>
      {tCommon('toSignIn')}
    </a>
  )
  if (state.kind === 'live')
    return (
      <div className="grid animate-arrive grid-cols-1 gap-6">
        <StepHeading lead={t('lead')}>{t('title')}</StepHeading>
        <FailureAlert failure={failed?.failure ?? null} action={t('failed')} />
        <KeyValues>
          <KeyValue label={t('device')}>{state.device || t('unknownDevice')}</KeyValue>
          <KeyValue label={t('date')}>
            <DateTime value={state.date} form="full" />
          </KeyValue>
          {state.ip ? <KeyValue label={t('ip')}>{state.ip}</KeyValue> : null}
        </KeyValues>
        <p>{t('text')}</p>
        <PublicForm form="report" id={stepFormId} className="grid gap-3">
          <StepButton>{t('confirm')}</StepButton>
          <a href="/platform" className={buttonClasses({ size: 'L', variant: 'secondary' })}>
            {t('mine')}
          </a>
        </PublicForm>
      </div>
    )
  if (state.kind === 'done')
    return (
      <DeadLink title={t('done.title')} text={t('done.text')}>
        {signIn('primary')}
      </DeadLink>
    )
  return (
    <DeadLink title={t(`dead.${state.kind}.title`)} text={t(`dead.${state.kind}.text`)}>
      {state.kind === 'accessError' ? (
        <PlainSignOut label={t('signOut')} />
      ) : (
        <div className="grid gap-3">
          <a href="/platform/forgot-password" className={buttonClasses({ size: 'L' })}>
            {t('recover')}
          </a>
          {signIn('secondary')}
        </div>
      )}
    </DeadLink>
  )
}
