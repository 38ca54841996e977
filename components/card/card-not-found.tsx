import { getTranslations } from 'next-intl/server'
import { listOfCard, screens } from '@/lib/base/navigation/screens'
import { PageName } from '../shell/page-name'
import { PageHeader } from '../ui/page-header'
import { ToList } from './to-list'

const lists = screens.flatMap((screen) => listOfCard(screen)?.path ?? [])

/** 404 of a card: its object was deleted, or the address names none. It links to the list. */
export async function CardNotFound() {
  const t = await getTranslations('not-found.card')
  return (
    <div className="grid justify-items-start gap-6">
      <PageName name={t('title')} />
      <PageHeader title={t('title')} text={t('text')} />
      <ToList lists={lists} label={t('action')} />
    </div>
  )
}
