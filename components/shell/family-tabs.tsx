'use client'

import { usePathname } from 'next/navigation'
import { LinkTabs } from '../ui/link-tabs'
import { isAt } from './is-at'
import type { MenuTab } from './menu-view'

type PageFamily = { label: string; tabs: MenuTab[] }

/** The pages of one entry of the side menu, as tabs above each of them. */
export function FamilyTabs({ families }: { families: PageFamily[] }) {
  const path = usePathname()
  const here = families.map((family) => ({ ...family, current: openTab(path, family.tabs) })).find((one) => one.current)
  if (!here?.current) return null
  return (
    <div className="mb-5 print:hidden">
      <LinkTabs tabs={here.tabs} current={here.current.href} label={here.label} />
    </div>
  )
}

/** The tab of a page. A tab below which other tabs are is open at its own address only: its cards have no tabs. */
function openTab(path: string, tabs: readonly MenuTab[]) {
  const holdsOthers = ({ href }: MenuTab) => tabs.some((other) => other.href !== href && isAt(other.href, href))
  return tabs.find((tab) => (holdsOthers(tab) ? path === tab.href : isAt(path, tab.href)))
}
