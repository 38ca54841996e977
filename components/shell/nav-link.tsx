'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ComponentProps } from 'react'
import { isAt } from './is-at'

type Props = Omit<ComponentProps<typeof Link>, 'href' | 'prefetch'> & {
  href: string
  /** Also current on the pages below it. */
  deep?: boolean
  /** Also current on these pages and the pages below them. */
  also?: readonly string[] | undefined
}

/** A link of a menu. The page it stands for is marked as the current one; layouts stay while pages change. */
export function NavLink({ href, deep = false, also = [], ...rest }: Props) {
  const path = usePathname()
  const current = path === href || (deep && isAt(path, href)) || also.some((other) => isAt(path, other))
  // menus are on every page: prefetching all their links would be a dozen requests each time
  return <Link {...rest} href={href} prefetch={false} aria-current={current ? 'page' : undefined} />
}
