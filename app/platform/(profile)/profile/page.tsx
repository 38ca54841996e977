import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { Suspense } from 'react'
import { buttonClasses } from '@/components/ui/button-classes'
import { PagePart } from '@/components/ui/page-part'
import { pictureAddress } from '@/lib/accounts/pictures/address'
import { initialsOf } from '@/lib/accounts/users/initials'
import { emptyRequiredFields, personalData } from '@/lib/accounts/users/service'
import { serviceItems } from '@/lib/applications/menu/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { NoServices } from '../_ui/no-services'
import { PersonCard } from '../_ui/person-card'
import { Services } from '../_ui/services'
import { Needed } from './_ui/needed'
import { Recent } from './_ui/recent'
import { RecentNotices } from './_ui/recent-notices'
import { WaitingItems } from './_ui/waiting'

export const generateMetadata = () => screenTitle('UserProfile')

/**
 * Shows the person, the next steps for the account, what waits, the services, the last notifications, and the last
 * changes.
 */
export default async function ProfilePage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile')
  const t = await getTranslations('profile')
  const [{ email, login }, services, empty] = await Promise.all([
    personalData(user.id),
    serviceItems(user, ctx.domain),
    emptyRequiredFields(user.id),
  ])
  return (
    <div className="grid gap-8">
      <div className="grid gap-3">
        <PersonCard
          initials={initialsOf(user)}
          picture={user.picture ? pictureAddress(user.picture, 'large') : null}
          title={t('hello', { name: user.firstName || user.login })}
          text={email || login}
        />
        <p>
          <Link
            href="/platform/profile/personal"
            prefetch={false}
            className={buttonClasses({ variant: 'secondary', size: 'S' })}
          >
            {t('openPersonal')}
          </Link>
        </p>
      </div>
      {empty.length > 0 ? <Needed fields={empty} locale={ctx.locale} /> : null}
      <Suspense>
        <PagePart>
          <WaitingItems ctx={ctx} user={user} />
        </PagePart>
      </Suspense>
      <section className="grid gap-3" aria-labelledby="services">
        <h2 id="services" className="text-section">
          {t('services')}
        </h2>
        {services.length > 0 ? <Services services={services} locale={ctx.locale} heading="h3" /> : <NoServices />}
      </section>
      <Suspense>
        <PagePart>
          <RecentNotices ctx={ctx} />
        </PagePart>
      </Suspense>
      <Suspense>
        <PagePart>
          <Recent ctx={ctx} />
        </PagePart>
      </Suspense>
    </div>
  )
}
