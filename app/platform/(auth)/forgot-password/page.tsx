import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { followRules } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { formFailure, formTold, sentStep } from '../_ui/form-failure'
import { AskForLink } from './_ui/ask-for-link'
import { LinkSent } from './_ui/link-sent'

/** `step=sent`: a link was sent. */
type Props = { searchParams: Promise<{ step?: string | string[] }> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const [t, { step }] = await Promise.all([getTranslations('recovery.forgot'), searchParams])
  return pageTitle(t((await sentStep(step)) ? 'sent.title' : 'title'))
}

/**
 * Requests a recovery link by e-mail, and says what happens next. Then people can return to the form, or request another
 * mail to the same address.
 */
export default async function ForgotPasswordPage({ searchParams }: Props) {
  const { ctx } = await pageContext()
  await followRules(ctx, '/platform/forgot-password')
  const [{ step }, failed, told] = await Promise.all([searchParams, formFailure(), formTold()])
  const sent = await sentStep(step)
  if (sent) return <LinkSent sent={sent} failure={failed?.failure ?? null} />
  // the identifier typed at the sign-in needn't be typed again
  const attempt = await signInStep(ctx)
  const typed = attempt?.idAttribute === 'email' ? attempt.identifier : ''
  return <AskForLink email={told?.typed('email') ?? typed} failed={failed} />
}
