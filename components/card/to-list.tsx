'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { isAt } from '../shell/is-at'
import { buttonClasses } from '../ui/button-classes'

/** The link from a missing card to its list, one of the addresses `lists`. */
export function ToList({ lists, label }: { lists: readonly string[]; label: string }) {
  const path = usePathname()
  const list = lists.find((each) => isAt(path, each))
  return list ? (
    <Link href={list} prefetch={false} className={buttonClasses()}>
      {label}
    </Link>
  ) : null
}
