import { getTranslations } from 'next-intl/server'
import { pageContext } from '@/lib/request/page'
import { NoAccessActions } from './no-access'
import { PublicFailure } from './public-frame'

/** 403 as a whole page. People who aren't signed in are asked to sign in, because their account may have access. */
export async function NoAccessPage() {
  const [t, { ctx }] = await Promise.all([getTranslations('shell.noAccess'), pageContext()])
  return (
    <PublicFailure title={t(ctx.user ? 'title' : 'signInTitle')} text={t(ctx.user ? 'text' : 'signInText')}>
      <NoAccessActions />
    </PublicFailure>
  )
}
