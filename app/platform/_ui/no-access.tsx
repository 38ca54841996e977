import { getTranslations } from 'next-intl/server'
import { PlainSignOut } from '@/components/plain/plain-sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import { pageContext } from '@/lib/request/page'

/** What a person without access can do: open a page that they may open, or sign in as another person. */
export async function NoAccessActions() {
  const [t, { ctx }] = await Promise.all([getTranslations('shell'), pageContext()])
  return (
    <div className="flex flex-wrap gap-3">
      {ctx.user ? (
        <>
          <a href="/platform/apps" className={buttonClasses({ size: 'L' })}>
            {t('toServices')}
          </a>
          <PlainSignOut label={t('noAccess.otherAccount')} to="/platform/login" />
        </>
      ) : (
        <a href="/platform/login" className={buttonClasses({ size: 'L' })}>
          {t('noAccess.signIn')}
        </a>
      )}
    </div>
  )
}
