import { getTranslations } from 'next-intl/server'
import { buttonClasses } from '@/components/ui/button-classes'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenTitle } from '@/lib/context/title'
import { pathOfScreen } from '@/lib/kernel/navigation/screens'
import { serviceItems } from '@/lib/platform/menu/service'
import { Services } from '../_ui/services'

export const generateMetadata = () => screenTitle('switchService')

/** The service switch. */
export default async function AppsPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/apps')
  const [t, shell] = await Promise.all([getTranslations('profile'), getTranslations('shell')])
  const services = await serviceItems(user, ctx.domain)
  const request = pathOfScreen('UserProfileAccessRequests')
  return (
    <div className="grid gap-6">
      <PageHeader title={t('services')} />
      {services.length > 0 ? (
        <Services services={services} locale={ctx.locale} heading="h2" />
      ) : (
        <EmptyState
          title={t('noServicesTitle')}
          text={t('noServices')}
          action={
            request ? (
              <a href={request} className={buttonClasses()}>
                {shell('requestAccess')}
              </a>
            ) : null
          }
        />
      )}
    </div>
  )
}
