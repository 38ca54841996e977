import { getTranslations } from 'next-intl/server'
import { ScreenPage } from '@/components/shell/screen-page'
import { ServiceMark } from '@/components/shell/service-mark'
import { Pill } from '@/components/ui/pill'
import { orderedApplications } from '@/lib/applications/applications/manage'
import { holdsMethod } from '@/lib/base/context/access'
import { localName } from '@/lib/base/i18n/local-name'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { ApplicationOrder } from './_ui/application-order'

export const generateMetadata = () => screenTitle('PlatformApplicationsOrder')

/** All applications in the order in which menus show them, to be ordered. */
export default async function ApplicationOrderPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/setting/applications/order')
  const mayWrite = holdsMethod(user, 'applications.write')
  const [t, rows] = await Promise.all([getTranslations('applications'), orderedApplications(ctx)])
  const items = rows.map((row) => {
    const name = localName(row, ctx.locale)
    return {
      id: row.id,
      name,
      body: (
        <div className="flex min-w-0 items-center gap-3">
          <ServiceMark size="M" title={name} icon={row.iconId} />
          {/* if the pill has no room beside the name, it moves below it, so that the name isn't broken */}
          <div className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
            <span className="wrap-anywhere min-w-0 font-medium">{name}</span>
            <span className="text-ink-second text-table @max-[34rem]:hidden">{t(`types.${row.type}`)}</span>
            <span className="@min-[34rem]:ml-auto">
              {row.menuVisible && row.enabled ? <Pill tone="ok">{t('inMenu')}</Pill> : <Pill>{t('hidden')}</Pill>}
            </span>
          </div>
        </div>
      ),
    }
  })
  return (
    <ScreenPage name="PlatformApplicationsOrder" texts="applications" text={t('order.lead')}>
      <div className="grid max-w-[46rem] gap-3">
        <ApplicationOrder items={items} mayWrite={mayWrite} />
        {mayWrite ? <p className="text-ink-second text-note max-sm:hidden">{t('order.hint')}</p> : null}
      </div>
    </ScreenPage>
  )
}
