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
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { entryLinkState } from '@/lib/sign-in/passwords/service'
import { AccountName } from '../../../_ui/account-name'
import { DeadLink } from '../../../_ui/dead-link'
import { FailureAlert } from '../../../_ui/failure-alert'
import { formFailure } from '../../../_ui/form-failure'
import { passwordLabels } from '../../../_ui/password-labels'
import { StepButton } from '../../../_ui/step-button'
import { StepHeading, stepHeadingId } from '../../../_ui/step-heading'

type Props = PageProps<'/platform/login/password/[id]'>

const loaded = cache(async (id: string) => entryLinkState((await pageContext()).ctx, id))

/** The state of the link; `saved` for a person who has just set the password, and isn't signed in by it. */
async function stateOf({ params, searchParams }: Props) {
  const state = await loaded((await params).id)
  return state.kind === 'linkUsed' && (await searchParams).step === 'saved' ? { kind: 'saved' as const } : state
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const [t, { kind }] = await Promise.all([getTranslations('entry.password'), stateOf(props)])
  return pageTitle(t(kind === 'saved' ? 'saved.title' : 'title'))
}

/** Sets the first password, or tells why the link no longer works and what to do now. */
export default async function SetPasswordPage(props: Props) {
  const state = await stateOf(props)
  // docs/rules/links.md#pages-of-dead-links
  if (state.kind === 'notFound') redirect('/platform/404?link=firstEntry')
  if (state.kind === 'live') return <Live login={state.login} />
  const [t, tCommon] = await Promise.all([getTranslations('entry.password'), getTranslations('common')])
  const [title, text] =
    state.kind === 'saved'
      ? [t('saved.title'), t('saved.text')]
      : [t(`dead.${state.kind}.title`), t(`dead.${state.kind}.text`)]
  return (
    <DeadLink title={title} text={text}>
      {state.kind === 'accessError' ? (
        <PlainSignOut label={t('dead.signOut')} />
      ) : (
        <a href="/platform/login" className={buttonClasses({ size: 'L' })}>
          {tCommon('toSignIn')}
        </a>
      )}
    </DeadLink>
  )
}

/** Asks for the first password. `login` is for password managers. */
async function Live({ login }: { login: string }) {
  const { ctx } = await pageContext()
  const [t, rules, labels, failed] = await Promise.all([
    getTranslations('entry.password'),
    passwordRules(ctx.locale),
    passwordLabels(),
    formFailure(),
  ])
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={t('lead')}>{t('title')}</StepHeading>
      <FailureAlert failure={failed?.failure ?? null} fields={labels} action={t('notSaved')} />
      <PublicForm form="enter" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
        <AccountName value={login} />
        <PasswordPair opens={!failed} rules={rules} errors={failed?.errors ?? {}} enterKeyHint="go" />
        <StepButton>{t('save')}</StepButton>
      </PublicForm>
    </div>
  )
}
