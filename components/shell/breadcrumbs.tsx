'use client'

import { usePathname } from 'next/navigation'
import { type Crumb as Step, Breadcrumbs as Trail } from '../ui/breadcrumbs'
import { type Crumb, trailAt } from './trail'

/**
 * Where the person is, and the way one step back. `crumbs` are the pages of the layout; the trail is made here,
 * because a layout stays while pages change. From the topmost page the way back is `home`.
 */
export function Breadcrumbs({ crumbs, home }: { crumbs: Crumb[]; home: Step }) {
  const trail = trailAt(crumbs, usePathname()).map(({ label, href }): Step => ({ label, href: href ?? undefined }))
  return <Trail trail={trail.length === 1 ? [home, ...trail] : trail} />
}
