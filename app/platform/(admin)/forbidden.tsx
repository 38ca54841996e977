import { getTranslations } from 'next-intl/server'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccessActions } from '../_ui/no-access'

/** 403 within the administration area: this page isn't for this person, its menu shows which are. */
export default async function AdminForbidden() {
  const t = await getTranslations('shell.noAccess')
  return (
    <div className="grid justify-items-start gap-6">
      <PageHeader title={t('title')} text={t('text')} />
      <NoAccessActions />
    </div>
  )
}
