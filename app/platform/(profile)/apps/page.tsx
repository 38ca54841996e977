import { getTranslations } from 'next-intl/server'
import { StreamedPart } from '@/components/hydration/streamed-part'
import { PageHeader } from '@/components/ui/page-header'
import { serviceItems } from '@/lib/applications/menu/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { NoServices } from '../_ui/no-services'
import { Requestable } from '../_ui/requestable'
import { Services } from '../_ui/services'

export const generateMetadata = () => screenTitle('switchService')

/** The page on which a person chooses a service. */
export default async function AppsPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/apps')
  const t = await getTranslations('profile')
  const services = await serviceItems(user, ctx.domain)
  return (
    <div className="grid gap-6">
      <PageHeader title={t('services')} />
      {services.length > 0 ? <Services services={services} locale={ctx.locale} heading="h2" /> : <NoServices />}
      <StreamedPart>
        <Requestable />
      </StreamedPart>
    </div>
  )
}
