import Link from 'next/link'
import { cn } from './cn'
import { CurrentInView } from './current-in-view'
import { LinkPending } from './link-pending'
import { TabBadge } from './tab-badge'
import { TabCount } from './tab-count'
import { tabLook, tabsLook } from './tab-look'

type Tab = {
  href: string
  label: string
  /** How many things there are. */
  count?: number | null
  /** How many things wait there. */
  badge?: number | null
}

/** Tabs that are pages, each with its address. */
export function LinkTabs({ tabs, current, label }: { tabs: readonly Tab[]; current: string; label: string }) {
  return (
    <nav aria-label={label} className={tabsLook}>
      {tabs.map(({ href, label, count, badge }) => (
        <Link
          key={href}
          href={href}
          prefetch={false}
          aria-current={href === current ? 'page' : undefined}
          className={cn(tabLook)}
        >
          {label}
          {count === null || count === undefined ? null : <TabCount count={count} />}
          <TabBadge count={badge} />
          <LinkPending />
        </Link>
      ))}
      <CurrentInView current={current} />
    </nav>
  )
}
