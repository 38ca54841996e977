import { getTranslations } from 'next-intl/server'
import { Alert } from '@/components/ui/alert'
import { TextLink } from '@/components/ui/text-link'
import { userServices } from '@/lib/applications/menu/service'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'

/** The link back to the service for which the person came, after they got access to it. */
export async function OpenedService({ ctx, user, application }: { ctx: Ctx; user: CtxUser; application: string }) {
  const [t, services] = await Promise.all([getTranslations('access-requests'), userServices(user, ctx.domain)])
  const service = services.find(({ code }) => code === application)
  if (!service) return null
  const name = localName(service, ctx.locale)
  return (
    <Alert tone="ok" title={t('openedTitle', { service: name })}>
      <TextLink href={service.serviceUrl}>{t('openedLink', { service: name })}</TextLink>
    </Alert>
  )
}
