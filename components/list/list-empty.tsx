import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { ListAddress } from '@/lib/kernel/list-address'
import { buttonClasses } from '../ui/button-classes'
import { EmptyState } from '../ui/empty-state'
import { ListLink } from './list'
import { isFiltered, listHref } from './list-link'
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
  const link = (href: string, label: string) => (
    <ListLink href={href} className={buttonClasses({ variant: 'secondary', size: 'S' })}>
      {label}
    </ListLink>
  )
  // a list with a cursor may have no total; it has rows before this place if a link leads back
  if ((meta.total ?? 0) > 0 || meta.before || meta.after)
    return (
      <EmptyState
        title={t('beyondTitle')}
        text={t('beyondText')}
        action={link(listHref(address, {}), t('beyondAction'))}
      />
    )
  if (isFiltered(address))
    return (
      <EmptyState
        title={t('noneTitle')}
        text={t('noneText')}
        action={link(listHref(address, { reset: true }), t('noneReset'))}
      />
    )
  return <EmptyState title={title ?? t('emptyTitle')} text={text ?? t('emptyText')} action={action} />
}
