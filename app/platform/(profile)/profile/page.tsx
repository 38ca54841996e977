import type { Metadata } from 'next'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'
import { requiredFieldsEmpty } from '@/lib/people/users/service'
import { userServices } from '@/lib/platform/menu/service'
import { Services } from '../_ui/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('profile')
  return pageTitle(t('title'))
}

/** What the account needs next: empty required fields, services. */
export default async function ProfilePage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile')
  const t = await getTranslations('profile')
  const [empty, services] = await Promise.all([requiredFieldsEmpty(user.id), userServices(user, ctx.domain)])
  return (
    <div className="grid gap-6">
      <h1 className="text-title">{t('hello', { name: user.firstName || user.login })}</h1>
      {empty.length > 0 ? <p>{t('fieldsEmpty', { count: empty.length })}</p> : null}
      <p>
        <Link href="/platform/profile/personal" className="text-brand underline underline-offset-4">
          {t('personal')}
        </Link>
      </p>
      <section className="grid gap-3">
        <h2 className="text-section">{t('services')}</h2>
        {services.length > 0 ? <Services services={services} locale={ctx.locale} /> : <p>{t('noServices')}</p>}
      </section>
    </div>
  )
}
