import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'
import { userServices } from '@/lib/platform/menu/service'
import { Services } from '../_ui/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('profile')
  return pageTitle(t('services'))
}

/** The service switch. */
export default async function AppsPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/apps')
  const t = await getTranslations('profile')
  const services = await userServices(user, ctx.domain)
  return (
    <>
      <h1 className="mb-6 text-title">{t('services')}</h1>
      {services.length > 0 ? <Services services={services} locale={ctx.locale} /> : <p>{t('noServices')}</p>}
    </>
  )
}
