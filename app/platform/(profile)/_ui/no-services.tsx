import { getTranslations } from 'next-intl/server'
import { buttonClasses } from '@/components/ui/button-classes'
import { EmptyState } from '@/components/ui/empty-state'
import { pageContext } from '@/lib/request/page'
import { requestPath } from '@/lib/request/request-path'
import { projectInfo } from '@/lib/site/project-info/service'

/** For people without services: where to request access, or whom to ask if there is no such page. */
export async function NoServices() {
  const { ctx } = await pageContext()
  const [t, shell, { helpUrl }, request] = await Promise.all([
    getTranslations('profile'),
    getTranslations('shell'),
    projectInfo(ctx.domain),
    requestPath(),
  ])
  return (
    <EmptyState
      title={t('noServicesTitle')}
      text={t('noServices')}
      action={
        <a href={request ?? helpUrl} className={buttonClasses()}>
          {request ? shell('requestAccess') : t('whomToAsk')}
        </a>
      }
    />
  )
}
