import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { SignOut } from '@/components/shell/sign-out'
import { pickMessages } from '@/lib/base/i18n/messages'
import { ownPath } from '@/lib/base/navigation/after-sign-in'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { Agree } from './_ui/agree'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('agreements')
  return pageTitle(t('title'))
}

/**
 * Asks a signed-in person for the agreements that the domain requires now, and redirects to the page that they
 * requested.
 */
export default async function AgreementsPage({ searchParams }: PageProps<'/platform/agreements'>) {
  const { ctx } = await pageContext()
  const { path } = await searchParams
  const target = ownPath(typeof path === 'string' ? path : null)
  const onward = target && !target.startsWith('/platform/agreements') ? target : '/platform'
  if (!ctx.user) redirect(`/platform/login?path=${encodeURIComponent(onward)}`)
  if (!ctx.terms?.length) redirect(onward)
  const [t, messages] = await Promise.all([getTranslations('agreements'), getMessages()])
  return (
    <PageMessages messages={pickMessages(messages, ['agreements'])}>
      <Agree terms={[...ctx.terms]} onward={onward} login={ctx.user.login}>
        <SignOut label={t('signOut')} failed={t('signOutFailed')} to="/platform/login" size="L" />
      </Agree>
    </PageMessages>
  )
}
