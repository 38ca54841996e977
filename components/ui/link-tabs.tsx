import Link from 'next/link'
import { cn } from './cn'
import { TabBadge } from './tab-badge'
import { tabLook, tabsLook } from './tab-look'

type Tab = {
  href: string
  label: string
  /** How many items wait there. */
  badge?: number | null
}

/** Tabs that are links to pages. */
export function LinkTabs({ tabs, current, label }: { tabs: Tab[]; current: string; label: string }) {
  return (
    <nav aria-label={label} className={tabsLook}>
      {tabs.map(({ href, label, badge }) => (
        <Link key={href} href={href} aria-current={href === current ? 'page' : undefined} className={cn(tabLook)}>
          {label}
          <TabBadge count={badge} />
        </Link>
      ))}
    </nav>
  )
}
