import { getTranslations } from 'next-intl/server'
import { PageHeader } from '@/components/ui/page-header'

/** 404 of a card: its object is gone, or the address names none. The menu and the breadcrumbs lead on. */
export default async function AdminNotFound() {
  const t = await getTranslations('not-found.card')
  return <PageHeader title={t('title')} text={t('text')} />
}
