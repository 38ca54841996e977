'use client'

import { usePathname } from 'next/navigation'
import { Breadcrumbs, type Crumb } from '../ui/breadcrumbs'
import { type ScreenCrumb, trailAt } from './trail'

/**
 * The breadcrumbs and the way one step back. `crumbs` are the pages of the layout. They are computed in the browser,
 * because a layout stays mounted while pages change. From a topmost page the way back is `home`.
 */
export function ScreenBreadcrumbs({ crumbs, home }: { crumbs: ScreenCrumb[]; home: Crumb }) {
  const trail = trailAt(crumbs, usePathname()).map(({ label, href }): Crumb => ({ label, href: href ?? undefined }))
  return <Breadcrumbs trail={trail.length === 1 ? [home, ...trail] : trail} />
}
