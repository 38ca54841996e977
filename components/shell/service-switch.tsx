import { ArrowLeft, ChevronDown, LayoutGrid } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import type { ServiceItem } from '@/lib/applications/menu/contract'
import { localName } from '@/lib/base/i18n/local-name'
import { ServiceMark } from './service-mark'

const look =
  'flex min-h-11 min-w-0 items-center gap-2 rounded-control px-2 text-ink-second text-table transition-colors hover:bg-sunken hover:text-ink sm:pointer-fine:min-h-9'

/** A link back to the person's only service, or to where they came from. */
export async function BackToService({ href, title }: { href: string; title: string | null }) {
  const t = await getTranslations('shell')
  const label = title === null ? t('back') : t('backToService', { title })
  return (
    <a href={href} aria-label={label} className={look}>
      <ArrowLeft aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
      <span className="truncate max-sm:hidden">{label}</span>
      <span className="truncate sm:hidden">{title ?? label}</span>
    </a>
  )
}

/** A menu of the person's services, if they have several. */
export async function ServiceSwitch({
  services,
  locale,
}: {
  services: Omit<ServiceItem, 'children'>[]
  locale: string
}) {
  const t = await getTranslations('shell')
  return (
    <>
      <button type="button" popoverTarget="service-switch" className={`${look} cursor-pointer`}>
        <LayoutGrid aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
        <span className="max-sm:sr-only">{t('switchService')}</span>
        <ChevronDown aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 max-sm:hidden" />
      </button>
      <div
        id="service-switch"
        popover="auto"
        className="inset-auto top-[calc(var(--header-height)-4px)] right-2 m-0 max-h-[70dvh] w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line bg-surface p-1.5 text-ink text-table shadow-float open:animate-arrive sm:right-auto sm:left-66 mini:left-22 group-data-titles/shell:mini:left-30"
      >
        <nav aria-label={t('switchService')}>
          <ul className="grid gap-0.5">
            {services.map((service) => (
              <li key={service.id}>
                <a
                  href={service.serviceUrl}
                  className="flex min-h-11 items-center gap-3 rounded-control px-2 py-1 hover:bg-sunken"
                >
                  <ServiceMark title={localName(service, locale)} icon={service.iconId} size="M" />
                  <span className="min-w-0 break-words">{localName(service, locale)}</span>
                </a>
              </li>
            ))}
          </ul>
          <div className="mt-1.5 border-line border-t pt-1.5">
            <Link
              href="/platform/apps"
              prefetch={false}
              className="flex min-h-11 items-center rounded-control px-2 text-brand hover:bg-sunken"
            >
              {t('allServices')}
            </Link>
          </div>
        </nav>
      </div>
    </>
  )
}
