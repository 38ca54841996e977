'use client'

import { usePathname } from 'next/navigation'
import { Breadcrumbs, type Crumb } from '../ui/breadcrumbs'
import { usePageNames } from './page-name'
import { type ScreenCrumb, trailAt } from './trail'

/**
 * The breadcrumbs and the way one step back. `crumbs` are the pages of the layout. They are computed in the browser,
 * because a layout stays mounted while pages change; the page itself may have said its name (PageName). From a topmost
 * page the way back is `home`.
 */
export function ScreenBreadcrumbs({ crumbs, home }: { crumbs: ScreenCrumb[]; home: Crumb }) {
  const steps = trailAt(crumbs, usePathname())
  const names = usePageNames()
  const trail = steps.map(({ label, href }, at): Crumb => {
    const own = [names?.name, names?.above][steps.length - 1 - at]
    return { label: own ?? label, href: href ?? undefined }
  })
  return <Breadcrumbs trail={trail.length === 1 ? [home, ...trail] : trail} />
}
