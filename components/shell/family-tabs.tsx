'use client'

import { usePathname } from 'next/navigation'
import { LinkTabs } from '../ui/link-tabs'
import { isAt } from './is-at'
import type { MenuTab } from './menu-view'

type PageFamily = { label: string; tabs: MenuTab[] }

/** The pages of one entry of the side menu, as tabs above each of them. */
export function FamilyTabs({ families }: { families: PageFamily[] }) {
  const path = usePathname()
  const currentFamily = families
    .map((family) => ({ ...family, current: openTab(path, family.tabs) }))
    .find((candidate) => candidate.current)
  if (!currentFamily?.current) return null
  return (
    <div className="mb-5 print:hidden">
      <LinkTabs tabs={currentFamily.tabs} current={currentFamily.current.href} label={currentFamily.label} />
    </div>
  )
}

/**
 * Returns the open tab of a path. A tab whose address contains other tabs' addresses is open only at its own address:
 * its cards have no tabs.
 */
function openTab(path: string, tabs: readonly MenuTab[]) {
  const holdsOthers = ({ href }: MenuTab) =>
    tabs.some((otherTab) => otherTab.href !== href && isAt(otherTab.href, href))
  return tabs.find((tab) => (holdsOthers(tab) ? path === tab.href : isAt(path, tab.href)))
}
