import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foldFamilies, type MenuLinkView, sideMenu } from '@/components/shell/menu-view'
import { inOtherLayout, paletteScore } from '@/components/shell/palette/keys'
import { isPaletteKey } from '@/components/shell/palette/palette'
import { hasIcon, type IconName } from '@/components/shell/screen-icon'
import { trailAt } from '@/components/shell/trail'
import type { MenuItem } from '@/lib/applications/menu/contract'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { barScreens, menuSections } from '@/lib/base/frame/menu'
import {
  type EntryName,
  isOpenTo,
  type MenuScreenName,
  redirectFor,
  type Screen,
  screens,
} from '@/lib/base/navigation/screens'

/** The address of each page file, without route groups. */
function pageAddresses(folder = 'app', path = ''): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return /^page(\.dev)?\.tsx$/.test(entry.name) ? [path || '/'] : []
    const { name } = entry
    const below = /^\(.*\)$/.test(name) ? path : `${path}/${name.replace(/^\[(?:\.{3})?(\w+)\]$/, '{$1}')}`
    return pageAddresses(join(folder, name), below)
  })
}

const shape = (path: string) => path.replace(/\{\w+\}/g, '{}')

describe('screens', () => {
  test('each has its page, and each page has a screen', () => {
    expect(existsSync('app')).toBe(true)
    const pages = pageAddresses().map(shape)
    const rows = screens.map(({ path }) => shape(path))
    for (const row of rows) expect(pages, row).toContain(row)
    // only the server requests the provider's page (ADR 37), so nobody opens it
    const others = pages.filter((path) => !path.startsWith('/platform/dev/') && path !== '/platform/provider')
    for (const page of others) expect(rows, page).toContain(page)
  })
  test('are unique', () => {
    for (const key of ['name', 'path'] as const)
      expect(new Set(screens.map((screen) => screen[key])).size).toBe(screens.length)
  })
  test('of the administration require a method, others don’t', () => {
    for (const { name, area, layout, public: open } of screens) {
      expect(area !== undefined, name).toBe(layout === 'Platform')
      expect(open, name).toBe(layout === 'Auth' || layout === 'Law' || layout === 'NoAccess')
    }
  })
})

const screen = (values: Partial<Screen>): Screen => ({
  name: 'Platform',
  path: '/platform/setting',
  layout: 'Platform',
  public: false,
  ...values,
})

describe('the side menu', () => {
  test('shows pages by method, in groups', () => {
    const rows = [
      screen({ menu: 'overview', area: 'any' }),
      screen({ name: 'UserProfile', path: '/a', menu: 'access', area: 'domains' }),
      screen({ name: 'UserProfileMain', path: '/b', menu: 'access', area: 'history' }),
      screen({ name: 'switchService', path: '/c', area: 'domains' }),
    ]
    const menuOf = (...methods: string[]) =>
      menuSections(new Set(methods), rows).map(({ group, screens: open }) => [group, open.map(({ path }) => path)])
    expect(menuOf()).toEqual([])
    expect(menuOf('masterAccountAccess')).toEqual([])
    expect(menuOf('users.read')).toEqual([['overview', ['/platform/setting']]])
    expect(menuOf('domains.read')).toEqual([
      ['overview', ['/platform/setting']],
      ['access', ['/a']],
    ])
    expect(menuOf(...systemicMethods)).toEqual([
      ['overview', ['/platform/setting']],
      ['access', ['/a', '/b']],
    ])
  })
  test('a page that requires nothing is shown', () => expect(isOpenTo({}, new Set())).toBe(true))

  test('omits disabled pages, and shows one language', () => {
    const entry = {
      name: 'Platform' as const,
      title: 'Домены',
      titleEn: 'Domains',
      path: '/a',
      serviceUrl: null,
      applicationKey: null,
      meta: {
        layout: 'Platform' as const,
        public: false,
        tabNumber: null,
        title: 'Домены',
        serviceUrl: null,
        redirect: null,
      },
      leftMenu: true,
      disabled: false,
      badge: null,
    }
    const menu: MenuItem[] = [
      { ...entry, children: [] },
      { ...entry, name: 'LawPage-off', disabled: true, children: [] },
      { ...entry, name: 'LawPage-aside', leftMenu: false, children: [] },
      { ...entry, name: 'LawPage-outer', serviceUrl: 'https://x.example/', children: [] },
      {
        ...entry,
        name: 'access',
        title: 'Доступ',
        titleEn: 'Access',
        path: null,
        children: [{ ...entry, name: 'PlatformDeviceTypes' }],
      },
      {
        ...entry,
        name: 'people',
        path: null,
        children: [{ ...entry, name: 'PlatformNetworkAliases', disabled: true }],
      },
      { ...entry, name: 'UserProfile', meta: { ...entry.meta, layout: 'Profile' }, children: [] },
    ]
    const sections = sideMenu(menu, 'Platform', 'en')
    expect(
      sections.map(({ title, links }) => [title, links.map(({ name, href, outer }) => [name, href, outer])]),
    ).toEqual([
      [
        null,
        [
          ['Platform', '/a', false],
          ['LawPage-outer', 'https://x.example/', true],
        ],
      ],
      ['Access', [['PlatformDeviceTypes', '/a', false]]],
    ])
    expect(sections[0]?.links[0]?.label).toBe('Domains')
    // with a number the entry leads to what it counts
    const asked = (badge: number | null) => {
      const requests = { ...entry, name: 'UserProfileAccessRequests' as const, path: '/b', badge, children: [] }
      return sideMenu([requests], 'Platform', 'ru')[0]?.links[0]
    }
    expect(asked(3)).toMatchObject({ href: '/b', waiting: '/b?tab=incoming' })
    expect(asked(null)).not.toHaveProperty('waiting')
  })

  describe('a family of pages', () => {
    const link = (name: MenuLinkView['name'], badge: number | null = null): MenuLinkView => ({
      name,
      label: name,
      href: `/${name}`,
      outer: false,
      badge,
    })
    const folded = (...links: MenuLinkView[][]) =>
      foldFamilies(
        links.map((each) => ({ title: null, links: each })),
        (family) => `all ${family}`,
        (name) => (name.startsWith('Platform') ? 'lists' : undefined),
      ).map((section) => section.links.map(({ label, href, badge, tabs }) => [label, href, badge, tabs?.length]))

    test('is one entry in the place of its first page, with the sum of their counts', () => {
      const rows = [[link('UserProfile')], [link('Platform', 2), link('switchService'), link('PlatformDeviceTypes', 3)]]
      expect(folded(...rows, [link('PlatformNetworkAliases')])).toEqual([
        [['UserProfile', '/UserProfile', null, undefined]],
        [
          ['all lists', '/Platform', 5, 3],
          ['switchService', '/switchService', null, undefined],
        ],
      ])
    })
    test('is a single page if the person may open only one of it', () => {
      expect(folded([link('PlatformDeviceTypes', 1), link('UserProfile')])).toEqual([
        [
          ['PlatformDeviceTypes', '/PlatformDeviceTypes', 1, undefined],
          ['UserProfile', '/UserProfile', null, undefined],
        ],
      ])
    })
  })

  test('the bottom bar has the three pages with the highest priority, in the order of the menu', () => {
    const bars = [4, undefined, 1, 5, 2].map((bar, at) => screen({ path: `/${at}`, bar }))
    expect(barScreens(bars).map(({ path }) => path)).toEqual(['/0', '/2', '/4'])
    expect(barScreens(bars.slice(0, 2)).map(({ path }) => path)).toEqual(['/0'])
  })
})

describe('a page’s own redirects', () => {
  const visit = (row: Screen, signedIn: boolean) =>
    redirectFor({ path: '/platform/a', search: '?b=1&c=д', signedIn, hasServices: async () => true }, () => row)

  test('a service redirect takes the full path along', async () => {
    const row = screen({ serviceRedirect: '/platform/apps' })
    expect(await visit(row, true)).toBe('/platform/apps?path=%2Fplatform%2Fa%3Fb%3D1%26c%3D%D0%B4')
    expect(await visit(row, false)).toMatch(/^\/platform\/login\?path=/)
  })
  test('a plain one leads to its path', async () =>
    expect(await visit(screen({ redirect: '/platform/b' }), true)).toBe('/platform/b'))
})

describe('breadcrumbs', () => {
  const crumbs = [
    { name: 'fields', path: '/platform/setting/options/users/dynamic-fields/{type}', label: 'Поля', clickable: true },
    { name: 'top', path: '/platform/setting', label: 'Платформа', clickable: true },
    { name: 'options', path: '/platform/setting/options', label: 'Настройки', clickable: false },
    { name: 'users', path: '/platform/setting/options/users', label: 'Пользователи', clickable: true },
  ]
  test('are the pages above, from the top, with their parameters', () => {
    expect(trailAt(crumbs, '/platform/setting/options/users/dynamic-fields/contractors/')).toEqual([
      { name: 'top', label: 'Платформа', href: '/platform/setting' },
      { name: 'options', label: 'Настройки', href: null },
      { name: 'users', label: 'Пользователи', href: '/platform/setting/options/users' },
      { name: 'fields', label: 'Поля', href: '/platform/setting/options/users/dynamic-fields/contractors' },
    ])
    expect(trailAt(crumbs, '/platform/settings').map(({ name }) => name)).toEqual([])
  })
  test('name a group and the page below it once if both are called the same', () => {
    const same = [
      ...crumbs,
      { name: 'group', path: '/platform/setting/options/platform', label: 'Платформа', clickable: false },
      { name: 'base', path: '/platform/setting/options/platform/base', label: 'Платформа', clickable: true },
    ]
    const names = trailAt(same, '/platform/setting/options/platform/base').map(({ name }) => name)
    expect(names).toEqual(['top', 'options', 'base'])
  })
})

describe('the search', () => {
  const keys = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, code: 'KeyK', key: 'k' }
  test('opens by Ctrl+K and ⌘K in any layout, and by no other key', () => {
    expect(isPaletteKey({ ...keys, ctrlKey: true })).toBe(true)
    expect(isPaletteKey({ ...keys, metaKey: true, key: 'л' })).toBe(true)
    expect(isPaletteKey({ ...keys, ctrlKey: true, code: 'KeyV', key: 'k' })).toBe(true)
    for (const wrong of [
      {},
      { ctrlKey: true, metaKey: true },
      { ctrlKey: true, shiftKey: true },
      { ctrlKey: true, altKey: true },
    ])
      expect(isPaletteKey({ ...keys, ...wrong })).toBe(false)
    expect(isPaletteKey({ ...keys, ctrlKey: true, code: 'KeyL', key: 'д' })).toBe(false)
  })
  test('finds what was typed in the wrong layout', () => {
    expect(inOtherLayout('ghjabkm')).toBe('профиль')
    expect(inOtherLayout('зкщашду')).toBe('profile')
    expect(paletteScore('Профиль Profile', 'ghja')).toBeGreaterThan(0)
  })
  test('requires every word, prefers beginnings, and treats е as ё', () => {
    expect(paletteScore('Сетевые алиасы', 'алиасы сет')).toBe(1)
    expect(paletteScore('Сетевые алиасы', 'тевые')).toBe(0.5)
    expect(paletteScore('Сетевые алиасы', 'сетевые домены')).toBe(0)
    expect(paletteScore('Учётная запись', 'учетная')).toBe(1)
    expect(paletteScore('Типы устройств', 'xyz')).toBe(0)
  })
})

test('a menu page without an icon and an unknown name don’t compile', () => {
  // @ts-expect-error pages of the menus are missing
  const few: Record<MenuScreenName, true> = { Platform: true }
  // @ts-expect-error there is no such page
  const nobody: IconName = 'PlatformNobody'
  // @ts-expect-error the page is in no menu and has no icon
  const aside: IconName = 'NewPassword'
  expect([few, nobody, aside]).toHaveLength(3)
  for (const { name, menu } of screens) expect(hasIcon(name), name).toBe(menu !== undefined)
  for (const name of ['constructor', '__proto__', 'toString']) expect(hasIcon(name as EntryName)).toBe(false)
})
