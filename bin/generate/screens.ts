import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { menuGroups } from '@/lib/base/navigation/menu-groups'
import type { Layout, ScreenDeclaration } from '@/lib/base/navigation/screen'
import { filesBelow, generated, type Made } from './source'

const layouts: readonly (readonly [Layout, RegExp])[] = [
  ['Auth', /\/\(auth\)\//],
  ['Law', /\/\(law\)\//],
  ['Profile', /\/\(profile\)\//],
  ['Platform', /\/\(admin\)\//],
  ['NoAccess', /./],
]
const open: readonly Layout[] = ['Auth', 'Law', 'NoAccess']

const layoutOf = (file: string) => layouts.findIndex(([, pattern]) => pattern.test(file))

/**
 * Returns the path of the page beside a `screen.ts`. Throws for a folder that is neither a path segment nor one
 * parameter.
 */
export function pathOf(file: string): string {
  const parts = file
    .split('/')
    .slice(1, -1)
    .filter((part) => !/^\([\w-]+\)$/.test(part))
    .map((part) => part.replace(/^\[(\w+)\]$/, '{$1}'))
  const odd = parts.find((part) => !/^(?:[\w-]+|\{\w+\})$/.test(part))
  if (odd) throw new Error(`${file}: a screen can't be in a folder named ${odd}`)
  return `/${parts.join('/')}`
}

const literal = (row: object) =>
  `{ ${Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${JSON.stringify(value).replaceAll('"', "'")}`)
    .join(', ')} }`

/** The order within a group of the menu has this many places; a larger number would count as the next group. */
const places = 1000

/** Returns the order of a page in the menus. Throws for a place that its group doesn't have. */
export function placeOf({ name, menu, place }: ScreenDeclaration): number {
  if (menu === undefined) return Number.POSITIVE_INFINITY
  if (!Number.isInteger(place) || place < 0 || place >= places)
    throw new Error(`${name}: its place ${place} must be a whole number from 0 to ${places - 1}`)
  return menuGroups.indexOf(menu) * places + place
}

/** Every `screen.ts` beside a page, in the order of the menus: the list of pages, and the icons of their entries. */
export async function screenIndexes(): Promise<Made[]> {
  const declarations = await Promise.all(
    filesBelow('app', /\/screen\.ts$/).map(async (file) => {
      const { default: screen } = (await import(pathToFileURL(resolve(file)).href)) as { default: ScreenDeclaration }
      return { screen, path: pathOf(file), order: layoutOf(file) }
    }),
  )
  const names = declarations.map(({ screen }) => screen.name)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  if (twice.length > 0) throw new Error(`declared twice: ${twice.join(', ')}`)
  const ordered = declarations.toSorted(
    (a, b) => a.order - b.order || placeOf(a.screen) - placeOf(b.screen) || (a.path < b.path ? -1 : 1),
  )
  const rows = ordered.map(({ screen: { name, place: _, icon: __, palette: ___, ...more }, path, order }) => {
    const layout = layouts[order]?.[0] ?? 'NoAccess'
    return literal({ name, path, layout, public: open.includes(layout), ...more })
  })
  const pictures = ordered.flatMap(({ screen: { name, icon } }) => (icon ? [{ name, icon }] : []))
  const inPalette = ordered.flatMap(({ screen: { name, area, menu, palette }, path }) => {
    if (!palette) return []
    if (area === undefined || area === 'any' || menu === undefined)
      throw new Error(`${name}: only a page of an area that stands in a menu has records and actions`)
    const { finds, create } = palette
    return literal({ name, path, area, ...(finds && { finds: { path: finds.path, rows: finds.rows } }), create })
  })
  return [
    {
      file: 'lib/base/navigation/palette.generated.ts',
      text: generated([
        "import type { PaletteRow } from './screens'",
        '',
        '/** What the search over the platform finds in the areas, and which forms it opens. */',
        'export const paletteRows: readonly PaletteRow[] = [',
        ...inPalette.map((row) => `  ${row},`),
        ']',
      ]),
    },
    {
      file: 'lib/base/navigation/screens.generated.ts',
      text: generated([
        "import type { ScreenRow } from './screen'",
        '',
        '/** The existing pages, in the order of the menus. */',
        'export const rows = [',
        ...rows.map((row) => `  ${row},`),
        '] as const satisfies readonly ScreenRow[]',
      ]),
    },
    {
      file: 'components/shell/screen-icons.generated.ts',
      text: generated([
        `import { ${[...new Set(pictures.map(({ icon }) => icon))].sort().join(', ')}, type LucideIcon } from 'lucide-react'`,
        "import type { MenuScreenName } from '@/lib/base/navigation/screens'",
        '',
        '/** The icon of each entry of the side menus. */',
        'export const icons: Record<MenuScreenName, LucideIcon> = {',
        ...pictures.map(({ name, icon }) => `  ${name}: ${icon},`),
        '}',
      ]),
    },
  ]
}
