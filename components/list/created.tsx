import { useTranslations } from 'next-intl'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { Alert } from '../ui/alert'
import { buttonClasses } from '../ui/button-classes'
import { Pill } from '../ui/pill'
import { ListLink } from './list'
import { isFiltered, listHref } from './list-link'

/** The attributes of the row that was just created; `CreateButton` scrolls to it. */
export const createdRow = { 'data-created': '', className: 'bg-brand-tint/45' }

/** Marks the row that was just created, until the person opens another page. */
export function CreatedMark() {
  const t = useTranslations('ui.list')
  return (
    <span className="float-right ml-2">
      <Pill tone="ok">{t('new')}</Pill>
    </span>
  )
}

/** Says that the filters hide the created row, with a link that shows it. */
export function CreatedNotice({ address, shown }: { address: ListAddress; shown: boolean }) {
  const t = useTranslations('ui.list')
  if (!address.created || shown || !isFiltered(address)) return null
  const unfiltered = listHref(address, { reset: true })
  const href = `${unfiltered}${unfiltered.includes('?') ? '&' : '?'}created=${address.created}`
  return (
    <Alert tone="info" role="status">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>{t('createdHidden')}</p>
        <ListLink href={href} className={buttonClasses({ variant: 'secondary', size: 'S' })}>
          {t('createdShow')}
        </ListLink>
      </div>
    </Alert>
  )
}
