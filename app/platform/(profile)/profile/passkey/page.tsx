import { redirect } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { PageHeader } from '@/components/ui/page-header'
import { pickMessages } from '@/lib/base/i18n/messages'
import { ownPage } from '@/lib/base/navigation/after-sign-in'
import { listOwnPasskeys } from '@/lib/my-account/passkeys/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { redirectAfterSignIn } from '@/lib/sign-in/attempts/complete'
import { platformSettings } from '@/lib/site/settings/service'
import { PasskeyOffer } from './_ui/passkey-offer'

export const generateMetadata = () => screenTitle('PasskeyOffer')

const searchOf = ({ path }: Awaited<PageProps<'/platform/profile/passkey'>['searchParams']>) =>
  typeof path === 'string' ? `?${new URLSearchParams({ path })}` : ''

/** Offers a passkey to somebody who has just signed in by password, on the way to where they go. */
export default async function PasskeyOfferPage({ searchParams }: PageProps<'/platform/profile/passkey'>) {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile/passkey', searchOf(await searchParams))
  const { path } = await searchParams
  const next = ownPage(typeof path === 'string' ? path : null) ?? (await redirectAfterSignIn(ctx, user.id, null))
  const [t, messages, { passkeys, signIn, needs }, { authCodeDigits: digits }] = await Promise.all([
    getTranslations('account.passkeys'),
    getMessages(),
    listOwnPasskeys(ctx),
    platformSettings(),
  ])
  if (!signIn || !needs || passkeys.length > 0) redirect(next)
  return (
    <PageMessages messages={pickMessages(messages, ['account'])}>
      <div className="grid max-w-[44rem] gap-6">
        <PageHeader title={t('offer')} text={t('offerText')} />
        <PasskeyOffer needs={needs} digits={digits} next={next} />
        <p className="text-ink-second text-note">{t('offerLater')}</p>
      </div>
    </PageMessages>
  )
}
