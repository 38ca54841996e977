import { LockKeyhole } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { ServiceMark } from '@/components/shell/service-mark'
import { localName } from '@/lib/base/i18n/local-name'
import { requestableServices } from '@/lib/companies/access-requests/service'
import { pageContext } from '@/lib/request/page'
import { requestPath } from '@/lib/request/request-path'

/** The services that the person can't open yet: each links to the form in which its roles are chosen. */
export async function Requestable() {
  const { ctx } = await pageContext()
  const [t, path] = await Promise.all([getTranslations('access-requests'), requestPath()])
  const services = path ? await requestableServices(ctx) : []
  if (services.length === 0) return null
  return (
    <section className="grid gap-3" aria-labelledby="requestable">
      <h2 id="requestable" className="text-section">
        {t('requestable')}
      </h2>
      <ul className="grid gap-3 @min-[28rem]:grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))]">
        {services.map((service) => {
          const title = localName(service, ctx.locale)
          return (
            <li
              key={service.code}
              className="relative flex items-center gap-4 rounded-card border border-line bg-sunken p-4 transition-colors hover:border-line-strong"
            >
              <ServiceMark title={title} quiet />
              <span className="grid min-w-0 grow gap-0.5">
                <span className="wrap-anywhere font-medium">{title}</span>
                <Link
                  href={`${path}?${new URLSearchParams({ application: service.code, create: '1' })}`}
                  prefetch={false}
                  aria-label={t('askFor', { service: title })}
                  className="text-brand text-table after:absolute after:inset-0 after:rounded-card"
                >
                  {t('ask')}
                </Link>
              </span>
              <LockKeyhole aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0 text-ink-second" />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
