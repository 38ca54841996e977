import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { buttonClasses } from '../ui/button-classes'
import { EmptyState } from '../ui/empty-state'
import { ListLink } from './list'
import { type ListChange, listHref, narrowedBy } from './list-link'
import type { PagerMeta } from './pager'

type Props = {
  address: ListAddress
  meta: PagerMeta
  /** The text and the action if no row was ever created. */
  title?: string
  text?: string
  action?: ReactNode
}

/** Shown in place of the rows: nothing found, a page after the end, or no rows yet. */
export function ListEmpty({ address, meta, title, text, action }: Props) {
  const t = useTranslations('ui.list')
  const link = (change: ListChange, label: string) => (
    <ListLink
      href={listHref(address, change)}
      data-offers-reset={change.reset ? '' : undefined}
      className={buttonClasses({ variant: 'secondary', size: 'S' })}
    >
      {label}
    </ListLink>
  )
  // a list with a cursor may have no total; it has rows before this place if a link leads back
  if ((meta.total ?? 0) > 0 || meta.before || meta.after)
    return <EmptyState title={t('beyondTitle')} text={t('beyondText')} action={link({}, t('beyondAction'))} />
  const { search, filters } = narrowedBy(address)
  // it names the cause, the search or the filters, and removes only that
  if (search && !filters)
    return (
      <EmptyState
        title={t('noMatchTitle', { search })}
        text={t('noMatchText')}
        action={link({ filter: { search: null } }, t('clearSearch'))}
      />
    )
  if (search || filters)
    return (
      <EmptyState
        title={search ? t('noMatchTitle', { search }) : t('noneTitle')}
        text={search ? t('noMatchFiltersText') : t('noneText')}
        action={link({ reset: true }, search ? t('noMatchReset') : t('noneReset'))}
      />
    )
  return <EmptyState title={title ?? t('emptyTitle')} text={text ?? t('emptyText')} action={action} />
}
