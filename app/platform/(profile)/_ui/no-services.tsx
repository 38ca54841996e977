import { getTranslations } from 'next-intl/server'
import { buttonClasses } from '@/components/ui/button-classes'
import { EmptyState } from '@/components/ui/empty-state'
import { pageContext } from '@/lib/context/page'
import { pathOfScreen } from '@/lib/kernel/navigation/screens'
import { projectInfo } from '@/lib/platform/project-info/service'

/** For people without services: where to ask for access, or whom to ask if there is no such page. */
export async function NoServices() {
  const { ctx } = await pageContext()
  const [t, shell, { helpUrl }] = await Promise.all([
    getTranslations('profile'),
    getTranslations('shell'),
    projectInfo(ctx.domain),
  ])
  const request = pathOfScreen('UserProfileAccessRequests')
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
