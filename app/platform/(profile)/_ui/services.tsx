import { ArrowUpRight } from 'lucide-react'
import { getTranslations } from 'next-intl/server'
import { ServiceMark } from '@/components/shell/service-mark'
import { cn } from '@/components/ui/cn'
import type { ServiceItem } from '@/lib/applications/menu/contract'
import { localName, nameAmong } from '@/lib/base/i18n/local-name'
import { typographic } from '@/lib/base/i18n/typography'

type Entry = Omit<ServiceItem, 'children'>

/** Links to the virtual applications of a service, below its own link. */
function Children({ entries, locale }: { entries: Entry[]; locale: string }) {
  const open = entries.filter(({ disabled }) => !disabled)
  if (open.length === 0) return null
  return (
    <ul className="relative flex flex-wrap gap-x-4 gap-y-1 pl-15 text-table">
      {open.map((child) => (
        <li key={child.id}>
          <a href={child.serviceUrl} className="rounded-[2px] text-brand underline-offset-4 hover:underline">
            {localName(child, locale)}
          </a>
        </li>
      ))}
    </ul>
  )
}

type Props = {
  services: ServiceItem[]
  locale: string
  /** The heading level of the titles. */
  heading: 'h2' | 'h3'
}

/** The person's services as tiles. A disabled one shows its state and is no link. */
export async function Services({ services, locale, heading: Heading }: Props) {
  const t = await getTranslations('profile')
  return (
    <ul className="grid gap-3 @min-[28rem]:grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))]">
      {services.map((service) => {
        const title = localName(service, locale)
        const { id, disabled, serviceUrl, children } = service
        const description = nameAmong({ ru: service.description, en: service.descriptionEn }, locale)
        return (
          <li
            key={id}
            className={cn(
              'group/tile relative grid content-start gap-2 rounded-card border border-line p-4 transition-colors',
              disabled ? 'bg-sunken' : 'bg-surface hover:border-line-strong',
            )}
          >
            <div className="flex items-start gap-4">
              <ServiceMark title={title} icon={service.iconId} quiet={disabled} />
              <div className="grid min-w-0 grow gap-0.5">
                <Heading className="break-words font-medium">
                  {disabled ? (
                    title
                  ) : (
                    <a href={serviceUrl} className="after:absolute after:inset-0 after:rounded-card">
                      {title}
                    </a>
                  )}
                </Heading>
                {description ? <p className="text-ink-second text-table">{typographic(description)}</p> : null}
                {disabled ? <p className="mt-1 text-note text-warning">{t('serviceOff')}</p> : null}
              </div>
              {disabled ? null : (
                <ArrowUpRight
                  aria-hidden="true"
                  strokeWidth={1.75}
                  className="size-5 shrink-0 text-ink-second transition-colors group-hover/tile:text-brand"
                />
              )}
            </div>
            <Children entries={children} locale={locale} />
          </li>
        )
      })}
    </ul>
  )
}
