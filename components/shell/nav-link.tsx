'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<typeof Link>, 'href' | 'prefetch'> & {
  href: string
  /** Also current on the pages below it. */
  deep?: boolean
}

/** A link of a menu, marked if its page is the current one; layouts stay while pages change. */
export function NavLink({ href, deep = false, ...rest }: Props) {
  const path = usePathname()
  const current = path === href || (deep && path.startsWith(`${href}/`))
  // menus are on every page: prefetching all their links would be a dozen requests each time
  return <Link {...rest} href={href} prefetch={false} aria-current={current ? 'page' : undefined} />
}
