import { type MenuLinkView, sideMenu } from '@/components/shell/menu-view'
import type { PaletteGroup } from '@/components/shell/palette/palette-dialog'
import type { Shell } from '@/lib/context/shell'
import { localName } from '@/lib/kernel/i18n/local-name'

type Headings = { pages: string; administration: string; services: string }

/** What the search over the platform finds: pages of both areas, then services. */
export function paletteGroups({ menu, services }: Shell, locale: string, headings: Headings): PaletteGroup[] {
  const inOther = sideMenuLinks(menu, locale === 'en' ? 'ru' : 'en')
  const pages = (layout: 'Profile' | 'Platform') =>
    links(menu, layout, locale).map(({ name, label, href, outer }) => ({
      id: name,
      kind: 'page' as const,
      label,
      href,
      outer,
      keywords: inOther.filter((other) => other.name === name).map((other) => other.label),
    }))
  return [
    { heading: headings.pages, entries: pages('Profile') },
    { heading: headings.administration, entries: pages('Platform') },
    {
      heading: headings.services,
      entries: services.map((service) => ({
        id: service.id,
        kind: 'service' as const,
        label: localName(service, locale),
        keywords: [service.title, service.titleEn ?? '', service.description, service.descriptionEn ?? ''],
        href: service.serviceUrl,
        outer: true,
      })),
    },
  ].filter(({ entries }) => entries.length > 0)
}

const links = (menu: Shell['menu'], layout: 'Profile' | 'Platform', locale: string): MenuLinkView[] =>
  sideMenu(menu, layout, locale).flatMap((section) => section.links)

const sideMenuLinks = (menu: Shell['menu'], locale: string) => [
  ...links(menu, 'Profile', locale),
  ...links(menu, 'Platform', locale),
]
