import { type MenuLinkView, sideMenu } from '@/components/shell/menu-view'
import type { PaletteGroup } from '@/components/shell/palette/palette-dialog'
import { holdsMethod } from '@/lib/base/context/access'
import type { CtxUser } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import type { Words } from '@/lib/base/i18n/words'
import { paletteRows } from '@/lib/base/navigation/palette.generated'
import type { Shell } from '@/lib/request/shell'

type Finder = {
  /** Returns the texts of any module. */
  words: Words
  user: Pick<CtxUser, 'methods'>
}

/**
 * The entries of the search over the platform: pages of both areas, services, what the person may create, and the lists
 * in which it searches records.
 */
export function paletteGroups({ menu, services }: Shell, locale: string, { words, user }: Finder): PaletteGroup[] {
  const heading = (name: string) => words(`shell.palette.${name}`)
  const inOther = sideMenuLinks(menu, locale === 'en' ? 'ru' : 'en')
  const pages = (layout: 'Profile' | 'Platform') =>
    links(menu, layout, locale).map(({ name, label, href, outer }) => ({
      id: name,
      kind: 'page' as const,
      label,
      href,
      outer,
      keywords: inOther.filter((screen) => screen.name === name).map((screen) => screen.label),
    }))
  return [
    { heading: heading('pages'), entries: pages('Profile') },
    { heading: heading('administration'), entries: pages('Platform') },
    {
      heading: heading('services'),
      entries: services.map((service) => ({
        id: service.id,
        kind: 'service' as const,
        label: localName(service, locale),
        keywords: [service.title, service.titleEn ?? '', service.description, service.descriptionEn ?? ''],
        href: service.serviceUrl,
        outer: true,
      })),
    },
    {
      heading: heading('create'),
      entries: paletteRows.flatMap(({ name, path, area, create }) =>
        create && holdsMethod(user, `${area}.write`)
          ? [
              {
                id: `create ${name}`,
                kind: 'create' as const,
                label: words(create),
                note: words(`shell.screens.${name}`),
                href: `${path}?create=1`,
                outer: false,
                keywords: [
                  heading('create'),
                  ...inOther.filter((screen) => screen.name === name).map(({ label }) => label),
                ],
              },
            ]
          : [],
      ),
    },
    ...paletteRows.flatMap(({ name, path, area, finds }) =>
      finds && holdsMethod(user, `${area}.read`)
        ? [
            {
              heading: words(`shell.screens.${name}`),
              entries: [],
              source: { ...finds, href: path },
              icon: name,
            },
          ]
        : [],
    ),
  ].filter(({ entries, source }: PaletteGroup) => entries.length > 0 || source)
}

const links = (menu: Shell['menu'], layout: 'Profile' | 'Platform', locale: string): MenuLinkView[] =>
  sideMenu(menu, layout, locale).flatMap((section) => section.links)

const sideMenuLinks = (menu: Shell['menu'], locale: string) => [
  ...links(menu, 'Profile', locale),
  ...links(menu, 'Platform', locale),
]
