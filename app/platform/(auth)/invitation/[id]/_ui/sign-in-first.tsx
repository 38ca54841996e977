import { getTranslations } from 'next-intl/server'
import { buttonClasses } from '@/components/ui/button-classes'
import type { InvitationView } from '@/lib/joining/invitations/contract'
import { ToDecline } from './decline'
import { Offer } from './offer'

/** The invited e-mail has an account, so its owner must sign in first and then returns to `page`. */
export async function SignInFirst({ view, page, decline }: { view: InvitationView; page: string; decline: string }) {
  const t = await getTranslations('invitation.existing')
  return (
    <div className="grid grid-cols-1 gap-6">
      <Offer view={view} />
      <p>{t('text')}</p>
      <div className="grid gap-3">
        <a href={`/platform/login?path=${encodeURIComponent(page)}`} className={buttonClasses({ size: 'L' })}>
          {t('signIn')}
        </a>
        <ToDecline to={decline} />
      </div>
    </div>
  )
}
