import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { StreamedPart } from '@/components/hydration/streamed-part'
import { Guilloche } from '@/components/look/guilloche'
import { Avatar } from '@/components/ui/avatar'
import { buttonClasses } from '@/components/ui/button-classes'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { PagePart } from '@/components/ui/page-part'
import { pictureAddress } from '@/lib/accounts/pictures/address'
import { initialsOf } from '@/lib/accounts/users/initials'
import { emptyRequiredFields, personalData } from '@/lib/accounts/users/service'
import { serviceItems } from '@/lib/applications/menu/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { wordsOf } from '@/lib/base/i18n/words'
import { recentChanges } from '@/lib/my-account/personal/recent'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { NoServices } from '../_ui/no-services'
import { Services } from '../_ui/services'
import { Needed } from './_ui/needed'
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
      <StreamedPart>
        <PagePart>
          <WaitingItems ctx={ctx} user={user} />
        </PagePart>
      </StreamedPart>
      <section className="grid gap-3" aria-labelledby="services">
        <h2 id="services" className="text-section">
          {t('services')}
        </h2>
        {services.length > 0 ? <Services services={services} locale={ctx.locale} heading="h3" /> : <NoServices />}
      </section>
      <StreamedPart>
        <PagePart>
          <RecentNotices ctx={ctx} />
        </PagePart>
      </StreamedPart>
      <StreamedPart>
        <PagePart>
          <Recent ctx={ctx} />
        </PagePart>
      </StreamedPart>
    </div>
  )
}

type PersonProps = { initials: string; picture: string | null; title: string; text: string }

/** The person on a guilloche, as in a passport. `title` is the page's heading, `picture` the picture's address. */
function PersonCard({ initials, picture, title, text }: PersonProps) {
  return (
    <div className="relative isolate flex items-center gap-4 overflow-clip rounded-card bg-brand-tint p-4 @min-[40rem]:p-6">
      <Guilloche form="rosette" className="top-1/2 -right-36 -z-20 w-80 -translate-y-1/2 @min-[40rem]:-right-24" />
      <div className="absolute inset-0 -z-10 bg-linear-to-r from-85% from-brand-tint to-transparent @min-[40rem]:hidden" />
      <Avatar initials={initials} src={picture} size="L" className="bg-surface uppercase" />
      <div className="min-w-0 @max-[40rem]:pr-3">
        <h1 className="wrap-anywhere text-title">{title}</h1>
        <p className="wrap-anywhere text-ink-second text-table">{text}</p>
      </div>
    </div>
  )
}

/** The last changes of the own account, and who made them; renders nothing if there are none. */
async function Recent({ ctx }: { ctx: Ctx }) {
  const [t, words, changes] = await Promise.all([
    getTranslations('profile.recent'),
    getTranslations().then(wordsOf),
    recentChanges(ctx),
  ])
  if (changes.length === 0) return null
  return (
    <CardGroup title={t('title')}>
      <KeyValues>
        {changes.map(({ at, by, you, what }) => (
          <KeyValue key={at} label={<DateTime value={at} />}>
            {what.map((field) => ('label' in field ? words(field.label) : field.title)).join(', ')}
            <span className="text-ink-second text-note">{you ? t('you') : by ? t('by', { by }) : t('platform')}</span>
          </KeyValue>
        ))}
      </KeyValues>
    </CardGroup>
  )
}
