'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { LinkPending } from '../ui/link-pending'
import { isAt } from './is-at'

type Props = Omit<ComponentProps<typeof Link>, 'href' | 'prefetch'> & {
  href: string
  /** The address inside the page, if it isn't the part that opens first. */
  to?: string | undefined
  /** Whether it is also current on the pages below it. */
  deep?: boolean
  /** More pages on which it is current, also on the pages below them. */
  also?: readonly string[] | undefined
}

/**
 * A link of a menu. It is marked as current while its page is open, because layouts stay mounted while pages change. In
 * a menu that scrolls, the current link is scrolled into view.
 */
export function NavLink({ href, to = href, deep = false, also = [], children, ...rest }: Props) {
  const path = usePathname()
  const current = path === href || (deep && isAt(path, href)) || also.some((otherPath) => isAt(path, otherPath))
  const link = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    if (current) link.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  // menus are on every page: prefetching all their links would make a dozen requests each time
  return (
    <Link {...rest} ref={link} href={to} prefetch={false} aria-current={current ? 'page' : undefined}>
      {children}
      <LinkPending />
    </Link>
  )
}
