import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { PasswordPair } from '@/components/plain/password-pair'
import { PlainSignOut } from '@/components/plain/plain-sign-out'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { buttonClasses } from '@/components/ui/button-classes'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { recoveryLinkState } from '@/lib/sign-in/passwords/recovery'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { AccountName } from '../../_ui/account-name'
import { DeadLink } from '../../_ui/dead-link'
import { FailureAlert } from '../../_ui/failure-alert'
import { formFailure } from '../../_ui/form-failure'
import { passwordLabels } from '../../_ui/password-labels'
import { StepButton } from '../../_ui/step-button'
import { StepHeading } from '../../_ui/step-heading'
import { TermsBoxes, termLabels } from '../../_ui/terms-boxes'

type Props = PageProps<'/platform/new-password/[id]'>

const loaded = cache(async (id: string) => recoveryLinkState((await pageContext()).ctx, id))

/** The state of the link; `saved` for a person who has just set the password, and isn't signed in by it. */
async function stateOf({ params, searchParams }: Props) {
  const state = await loaded((await params).id)
  return state.kind === 'linkUsed' && (await searchParams).step === 'saved' ? { kind: 'saved' as const } : state
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const [t, { kind }] = await Promise.all([getTranslations('recovery.set'), stateOf(props)])
  return pageTitle(t(kind === 'saved' ? 'saved.title' : 'title'))
}

/** Sets a new password by a mailed link, or tells why the link no longer works and what to do now. */
export default async function NewPasswordPage(props: Props) {
  const state = await stateOf(props)
  // docs/rules/links.md#pages-of-dead-links
  if (state.kind === 'notFound') redirect('/platform/404?link=recovery')
  const [t, tCommon] = await Promise.all([getTranslations('recovery.set'), getTranslations('common')])
  if (state.kind === 'live') return <Live login={state.login} terms={state.terms} />
  const signIn = (
    <a href="/platform/login" className={buttonClasses({ size: 'L' })}>
      {tCommon('toSignIn')}
    </a>
  )
  if (state.kind === 'saved')
    return (
      <DeadLink title={t('saved.title')} text={t('saved.text')}>
        {signIn}
      </DeadLink>
    )
  const askAgain = (variant: 'primary' | 'secondary') => (
    <a href="/platform/forgot-password" className={buttonClasses({ size: 'L', variant })}>
      {t('askAgain')}
    </a>
  )
  return (
    <DeadLink title={t(`dead.${state.kind}.title`)} text={t(`dead.${state.kind}.text`)}>
      {state.kind === 'accessError' ? (
        <PlainSignOut label={t('signOut')} />
      ) : state.kind === 'linkUsed' ? (
        <div className="grid gap-3">
          {signIn}
          {askAgain('secondary')}
        </div>
      ) : (
        askAgain('primary')
      )}
    </DeadLink>
  )
}

type LiveLink = Extract<Awaited<ReturnType<typeof loaded>>, { kind: 'live' }>

/** Asks for a new password, and for missing agreements. */
async function Live({ login, terms }: Pick<LiveLink, 'login' | 'terms'>) {
  const { ctx } = await pageContext()
  const [t, rules, labels, failed] = await Promise.all([
    getTranslations('recovery.set'),
    passwordRules(ctx.locale),
    passwordLabels(),
    formFailure(),
  ])
  const account = () => <strong className="wrap-anywhere font-medium text-ink">{login}</strong>
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={t.rich('lead', { login: account })}>{t('title')}</StepHeading>
      <FailureAlert
        failure={failed?.failure ?? null}
        fields={{ ...labels, ...termLabels(terms) }}
        action={t('failed')}
      />
      {/* the field has the same name as the step */}
      <PublicForm form="recover" id={stepFormId} className="grid gap-6">
        <AccountName value={login} />
        <PasswordPair opens={!failed} rules={rules} errors={failed?.errors ?? {}} enterKeyHint="go" />
        <TermsBoxes terms={terms} errors={failed?.errors ?? {}} before={failed} />
        <StepButton>{t('save')}</StepButton>
      </PublicForm>
    </div>
  )
}
