'use client'

import { usePathname } from 'next/navigation'
import { LinkTabs } from '../ui/link-tabs'
import { isAt } from './is-at'
import type { MenuTab } from './menu-view'

type PageFamily = { label: string; tabs: MenuTab[] }

/** The pages of one entry of the side menu, as tabs above each of them. */
export function FamilyTabs({ families }: { families: PageFamily[] }) {
  const path = usePathname()
  const here = families.find(({ tabs }) => tabs.some(({ href }) => isAt(path, href)))
  const current = here?.tabs.find(({ href }) => isAt(path, href))
  if (!here || !current) return null
  return (
    <div className="mb-5 print:hidden">
      <LinkTabs tabs={here.tabs} current={current.href} label={here.label} />
    </div>
  )
}
