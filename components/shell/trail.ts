/** A page as the breadcrumbs know it: `path` may hold `{id}`; `clickable` false names a group of pages. */
export type ScreenCrumb = { name: string; path: string; label: string; clickable: boolean }
export type TrailStep = { name: string; label: string; href: string | null }

/** Whether the path's first segments are the page's, and how they are written there. */
function standsOn(path: string, page: string): string | null {
  const [segments, pattern] = [path.split('/'), page.split('/')]
  if (pattern.length > segments.length) return null
  const same = pattern.every((part, at) => part.startsWith('{') || part === segments[at])
  return same ? segments.slice(0, pattern.length).join('/') : null
}

/** The pages above a path and the page itself, from the top: each whose path begins it. */
export function trailAt(crumbs: readonly ScreenCrumb[], path: string): TrailStep[] {
  return crumbs
    .flatMap(({ name, path: page, label, clickable }) => {
      const address = standsOn(path.replace(/\/$/, ''), page)
      return address === null ? [] : [{ name, label, href: clickable ? address : null }]
    })
    .toSorted((a, b) => depth(crumbs, a.name) - depth(crumbs, b.name))
}

const depth = (crumbs: readonly ScreenCrumb[], name: string) =>
  crumbs.find((crumb) => crumb.name === name)?.path.split('/').length ?? 0
