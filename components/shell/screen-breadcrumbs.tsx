'use client'

import { usePathname } from 'next/navigation'
import { Breadcrumbs, type Crumb } from '../ui/breadcrumbs'
import { usePageNames } from './page-name'
import { type ScreenCrumb, trailAt } from './trail'

/**
 * The breadcrumbs and the link one step back. `crumbs` are the pages of the layout. They are computed in the browser,
 * because a layout stays mounted while pages change; the page itself may have set its name (PageName). From a topmost
 * page the back link is `home`.
 */
export function ScreenBreadcrumbs({ crumbs, home }: { crumbs: ScreenCrumb[]; home: Crumb }) {
  const steps = trailAt(crumbs, usePathname())
  const names = usePageNames()
  const trail = steps.map(({ label, href }, index): Crumb => {
    const ownName = [names?.name, names?.above][steps.length - 1 - index]
    return { label: ownName ?? label, href: href ?? undefined }
  })
  return <Breadcrumbs trail={trail.length === 1 ? [home, ...trail] : trail} />
}
