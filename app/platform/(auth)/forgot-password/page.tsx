import type { Metadata } from 'next'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { pickMessages } from '@/lib/base/i18n/messages'
import { followRules } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { ForgotPassword } from './_ui/forgot-password'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('recovery.forgot')
  return pageTitle(t('title'))
}

/** Requests a recovery link by e-mail. */
export default async function ForgotPasswordPage() {
  const { ctx } = await pageContext()
  await followRules(ctx, '/platform/forgot-password')
  // the identifier typed at the sign-in needn't be typed again
  const step = await signInStep(ctx)
  return (
    <PageMessages messages={pickMessages(await getMessages(), ['recovery'])}>
      <ForgotPassword typed={step?.idAttribute === 'email' ? step.identifier : ''} />
    </PageMessages>
  )
}
