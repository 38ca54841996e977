import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { SignOut } from '@/components/shell/sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { entryLinkState } from '@/lib/sign-in/passwords/service'
import { SetPassword } from './_ui/set-password'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('entry.password')
  return pageTitle(t('title'))
}

/** Sets the first password, or tells why the link no longer works and what to do now. */
export default async function SetPasswordPage({ params }: { params: Promise<{ id: string }> }) {
  const { ctx } = await pageContext()
  const { id } = await params
  const state = await entryLinkState(ctx, id)
  // docs/rules/links.md#pages-of-dead-links
  if (state.kind === 'notFound') redirect('/platform/404?link=firstEntry')
  if (state.kind === 'live') return <SetPassword id={id} rules={await passwordRules(ctx.locale)} login={state.login} />
  const t = await getTranslations('entry.password.dead')
  const tCommon = await getTranslations('common')
  return (
    <div className="grid gap-6">
      <div className="grid gap-2">
        <h1 className="text-title">{t(`${state.kind}.title`)}</h1>
        <p className="text-ink-second">{t(`${state.kind}.text`)}</p>
      </div>
      {state.kind === 'accessError' ? (
        <SignOut
          label={t('signOut')}
          failed={tCommon('signOutFailed')}
          to={`/platform/login/password/${id}`}
          size="L"
        />
      ) : (
        <a href="/platform/login" className={buttonClasses({ size: 'L' })}>
          {tCommon('toSignIn')}
        </a>
      )}
    </div>
  )
}
