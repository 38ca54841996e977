import { getTranslations } from 'next-intl/server'
import { SignOut } from '@/components/shell/sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import { pageContext } from '@/lib/request/page'

/** What a person without access can do: open a page that they may open, or sign in as another person. */
export async function NoAccessActions() {
  const { ctx } = await pageContext()
  const [t, common] = await Promise.all([getTranslations('shell'), getTranslations('common')])
  return (
    <div className="flex flex-wrap gap-3">
      {ctx.user ? (
        <>
          <a href="/platform/apps" className={buttonClasses({ size: 'L' })}>
            {t('toServices')}
          </a>
          <SignOut label={t('noAccess.otherAccount')} failed={common('signOutFailed')} size="L" />
        </>
      ) : (
        <a href="/platform/login" className={buttonClasses({ size: 'L' })}>
          {t('noAccess.signIn')}
        </a>
      )}
    </div>
  )
}
