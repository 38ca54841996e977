import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { cn } from './cn'

/** A step without an address is not clickable. The last step is this page. */
export type Crumb = { label: string; href?: string }

const look = 'truncate rounded-[2px] hover:text-ink hover:underline underline-offset-4'

/** The pages above this page, with a link back to the nearest one. */
export function Breadcrumbs({ trail }: { trail: readonly Crumb[] }) {
  const t = useTranslations('ui')
  const parentHref = trail.slice(0, -1).findLast(({ href }) => href)?.href
  return (
    <nav aria-label={t('breadcrumbs')} className="flex min-w-0 items-center gap-2 text-ink-second text-table">
      {parentHref ? (
        <Link
          href={parentHref}
          prefetch={false}
          aria-label={t('back')}
          className="-ml-2 flex size-9 shrink-0 items-center justify-center rounded-control hover:bg-sunken hover:text-ink pointer-coarse:size-11"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
        </Link>
      ) : null}
      <ol className="flex min-w-0 items-center gap-2">
        {trail.map(({ label, href }, index) => {
          const isLast = index === trail.length - 1
          return (
            <li
              key={`${href} ${label}`}
              className={cn(
                'flex min-w-0 gap-2 whitespace-nowrap',
                // the page's own name is also its title, so it is truncated first
                isLast ? null : 'max-w-60 shrink-0 max-sm:hidden',
                // a long trail has no room beside the tools of a narrow header
                index < trail.length - 2 && 'max-lg:hidden',
              )}
            >
              {isLast ? (
                <span aria-current="page" className="truncate">
                  {label}
                </span>
              ) : href ? (
                <Link href={href} prefetch={false} className={look}>
                  {label}
                </Link>
              ) : (
                <span className="truncate">{label}</span>
              )}
              {isLast ? null : <span aria-hidden="true">/</span>}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
