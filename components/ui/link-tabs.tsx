import Link from 'next/link'
import { cn } from './cn'
import { tabLook, tabsLook } from './tab-look'

type Tab = { href: string; label: string; count?: number }

/** Tabs that are pages, each with its address. */
export function LinkTabs({ tabs, current, label }: { tabs: Tab[]; current: string; label: string }) {
  return (
    <nav aria-label={label} className={tabsLook}>
      {tabs.map(({ href, label, count }) => (
        <Link key={href} href={href} aria-current={href === current ? 'page' : undefined} className={cn(tabLook)}>
          {label}
          {count ? <span className="rounded-pill bg-sunken px-1.5 text-note tabular-nums">{count}</span> : null}
        </Link>
      ))}
    </nav>
  )
}
