/** A page for the breadcrumbs: `path` may contain `{id}`; with `clickable: false` it is a group of pages. */
export type ScreenCrumb = { name: string; path: string; label: string; clickable: boolean }
export type TrailStep = { name: string; label: string; href: string | null }

/** Returns the first segments of a path if they match the page's path, otherwise null. */
function standsOn(path: string, page: string): string | null {
  const [segments, pattern] = [path.split('/'), page.split('/')]
  if (pattern.length > segments.length) return null
  const matches = pattern.every((part, index) => part.startsWith('{') || part === segments[index])
  return matches ? segments.slice(0, pattern.length).join('/') : null
}

/**
 * Returns the pages above a path and the page itself, from the top: all whose path is a prefix of it. A page with the
 * same label as the page below it is left out.
 */
export function trailAt(crumbs: readonly ScreenCrumb[], path: string): TrailStep[] {
  const matching = crumbs.flatMap((crumb) => {
    const address = standsOn(path.replace(/\/$/, ''), crumb.path)
    return address === null ? [] : [{ ...crumb, address }]
  })
  // a page with a literal path is no card: the literal part wins over a parameter
  const exactAddresses = new Set(
    matching.filter(({ path: page, address }) => page === address).map(({ address }) => address),
  )
  return matching
    .filter(({ path: page, address }) => page === address || !exactAddresses.has(address))
    .map(({ name, label, clickable, address }) => ({ name, label, href: clickable ? address : null }))
    .toSorted((a, b) => depth(crumbs, a.name) - depth(crumbs, b.name))
    .filter(({ label }, index, steps) => steps[index + 1]?.label !== label)
}

const depth = (crumbs: readonly ScreenCrumb[], name: string) =>
  crumbs.find((crumb) => crumb.name === name)?.path.split('/').length ?? 0
