'use client'

import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Fragment } from 'react'
import { type Crumb, trailAt } from './trail'

/**
 * Where the person is, and the way one step back. `crumbs` are the pages of the layout; the trail is made here,
 * because a layout stays while pages change.
 */
export function Breadcrumbs({ crumbs, home }: { crumbs: Crumb[]; home: { href: string; label: string } }) {
  const t = useTranslations('shell')
  const trail = trailAt(crumbs, usePathname())
  const above = trail.slice(0, -1).findLast(({ href }) => href !== null)
  const back = above?.href ? { href: above.href, label: above.label } : home
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Link
        href={back.href}
        prefetch={false}
        aria-label={t('backTo', { title: back.label })}
        title={t('backTo', { title: back.label })}
        className="-ml-2 flex size-9 shrink-0 items-center justify-center rounded-control text-ink-second transition-colors hover:bg-sunken hover:text-ink pointer-coarse:size-11"
      >
        <ArrowLeft aria-hidden="true" strokeWidth={1.75} className="size-5" />
      </Link>
      <nav aria-label={t('breadcrumbs')} className="min-w-0">
        <ol className="flex min-w-0 items-center gap-2 text-ink-second text-table">
          {trail.map(({ name, label, href }, at) => {
            const last = at === trail.length - 1
            return (
              <Fragment key={name}>
                {at > 0 ? (
                  <li aria-hidden="true" className="max-sm:hidden">
                    /
                  </li>
                ) : null}
                <li className={last ? 'min-w-0 truncate' : 'shrink-0 max-sm:hidden'}>
                  {href && !last ? (
                    <Link href={href} prefetch={false} className="rounded-[2px] hover:text-ink">
                      {label}
                    </Link>
                  ) : (
                    <span aria-current={last ? 'page' : undefined} className={last ? 'text-ink' : undefined}>
                      {label}
                    </span>
                  )}
                </li>
              </Fragment>
            )
          })}
        </ol>
      </nav>
    </div>
  )
}
