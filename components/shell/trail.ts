/** A page for the breadcrumbs: `path` may contain `{id}`; with `clickable: false` it is a group of pages. */
export type ScreenCrumb = { name: string; path: string; label: string; clickable: boolean }
export type TrailStep = { name: string; label: string; href: string | null }

/** Returns the first segments of a path if they match the page's, otherwise nothing. */
function standsOn(path: string, page: string): string | null {
  const [segments, pattern] = [path.split('/'), page.split('/')]
  if (pattern.length > segments.length) return null
  const same = pattern.every((part, at) => part.startsWith('{') || part === segments[at])
  return same ? segments.slice(0, pattern.length).join('/') : null
}

/**
 * Returns the pages above a path and the page itself, from the top: all whose path is a prefix of it. A page that is
 * called as the page below it is left out.
 */
export function trailAt(crumbs: readonly ScreenCrumb[], path: string): TrailStep[] {
  const matching = crumbs.flatMap((crumb) => {
    const address = standsOn(path.replace(/\/$/, ''), crumb.path)
    return address === null ? [] : [{ ...crumb, address }]
  })
  // a page with a name of its own is no card beside it: the literal part wins over a parameter
  const named = new Set(matching.filter(({ path: page, address }) => page === address).map(({ address }) => address))
  return matching
    .filter(({ path: page, address }) => page === address || !named.has(address))
    .map(({ name, label, clickable, address }) => ({ name, label, href: clickable ? address : null }))
    .toSorted((a, b) => depth(crumbs, a.name) - depth(crumbs, b.name))
    .filter(({ label }, at, steps) => steps[at + 1]?.label !== label)
}

const depth = (crumbs: readonly ScreenCrumb[], name: string) =>
  crumbs.find((crumb) => crumb.name === name)?.path.split('/').length ?? 0
