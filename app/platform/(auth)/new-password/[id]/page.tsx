import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { SignOut } from '@/components/shell/sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import { pickMessages } from '@/lib/base/i18n/messages'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { recoveryLinkState } from '@/lib/sign-in/passwords/recovery'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { DeadLink } from '../../_ui/dead-link'
import { NewPassword } from './_ui/new-password'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('recovery.set')
  // the address is secret: other sites must not get it as the referrer
  return { ...(await pageTitle(t('title'))), referrer: 'no-referrer' }
}

/** Sets a new password by a mailed link, or tells why the link no longer works and what to do now. */
export default async function NewPasswordPage({ params }: { params: Promise<{ id: string }> }) {
  const { ctx } = await pageContext()
  const { id } = await params
  const state = await recoveryLinkState(ctx, id)
  // docs/rules/links.md#pages-of-dead-links
  if (state.kind === 'notFound') redirect('/platform/404?link=recovery')
  if (state.kind === 'live') {
    const [rules, messages] = await Promise.all([passwordRules(ctx.locale), getMessages()])
    return (
      <PageMessages messages={pickMessages(messages, ['recovery'])}>
        <NewPassword id={id} rules={rules} login={state.login} terms={state.terms} />
      </PageMessages>
    )
  }
  const t = await getTranslations('recovery.set')
  const tCommon = await getTranslations('common')
  const askAgain = (variant: 'primary' | 'secondary') => (
    <a href="/platform/forgot-password" className={buttonClasses({ size: 'L', variant })}>
      {t('askAgain')}
    </a>
  )
  return (
    <DeadLink title={t(`dead.${state.kind}.title`)} text={t(`dead.${state.kind}.text`)}>
      {state.kind === 'accessError' ? (
        <SignOut label={t('signOut')} failed={tCommon('signOutFailed')} to={`/platform/new-password/${id}`} size="L" />
      ) : state.kind === 'linkUsed' ? (
        <div className="grid gap-3">
          <a href="/platform/login" className={buttonClasses({ size: 'L' })}>
            {tCommon('toSignIn')}
          </a>
          {askAgain('secondary')}
        </div>
      ) : (
        askAgain('primary')
      )}
    </DeadLink>
  )
}
