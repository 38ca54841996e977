import { useTranslations } from 'next-intl'
import type { ListAddress } from '@/lib/kernel/list-address'
import { buttonClasses } from '../ui/button-classes'
import { cn } from '../ui/cn'
import { ListLink } from './list'
import { listHref } from './list-link'
import { PageSize } from './page-size'

export type ListMeta = { page: number; perPage: number; total: number; pages: number }

/** Which rows of how many are shown, how many a page takes, and the way back and forward. */
export function Pager({ address, meta }: { address: ListAddress; meta: ListMeta }) {
  const t = useTranslations('ui.list')
  const { page, perPage, total, pages } = meta
  const from = (page - 1) * perPage + 1
  if (total === 0 || from > total) return null
  const step = (to: number, label: string) => {
    // it stays a link where there is nowhere to go, so that the focus doesn't fall off it
    const possible = to >= 1 && to <= pages
    return (
      <ListLink
        href={listHref(address, { page: possible ? to : page })}
        aria-disabled={possible ? undefined : true}
        className={cn(
          buttonClasses({ variant: 'secondary', size: 'S' }),
          !possible && 'pointer-events-none border-line! text-ink-second! opacity-60',
        )}
      >
        {label}
      </ListLink>
    )
  }
  return (
    <nav aria-label={t('pages')} className="flex flex-wrap items-center gap-2 text-ink-second text-table">
      <p className="mr-auto tabular-nums">{t('range', { from, to: Math.min(page * perPage, total), total })}</p>
      <PageSize address={address} perPage={perPage} />
      {step(page - 1, t('back'))}
      {step(page + 1, t('forward'))}
    </nav>
  )
}
