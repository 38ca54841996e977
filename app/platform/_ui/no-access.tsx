import { getTranslations } from 'next-intl/server'
import { PlainSignOut } from '@/components/plain/plain-sign-out'
import { SignOut } from '@/components/shell/sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import { pageContext, pageFormToken } from '@/lib/request/page'

/** What a person without access can do: open a page that they may open, or sign in as another person. */
export async function NoAccessActions() {
  const { ctx } = await pageContext()
  const [t, common, token] = await Promise.all([getTranslations('shell'), getTranslations('common'), pageFormToken()])
  return (
    <div className="flex flex-wrap gap-3">
      {ctx.user ? (
        <>
          <a href="/platform/apps" className={buttonClasses({ size: 'L' })}>
            {t('toServices')}
          </a>
          {token ? (
            <PlainSignOut label={t('noAccess.otherAccount')} to="/platform/login" />
          ) : (
            <SignOut label={t('noAccess.otherAccount')} failed={common('signOutFailed')} size="L" />
          )}
        </>
      ) : (
        <a href="/platform/login" className={buttonClasses({ size: 'L' })}>
          {t('noAccess.signIn')}
        </a>
      )}
    </div>
  )
}
