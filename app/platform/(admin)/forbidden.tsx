import { getTranslations } from 'next-intl/server'
import { PageHeader } from '@/components/ui/page-header'
import { isOpenTo } from '@/lib/base/navigation/screens'
import { pageContext } from '@/lib/request/page'
import { NoAccessActions } from '../_ui/no-access'
import { NoAccessPage } from '../_ui/no-access-page'

/** 403: a whole page for people who may open no page of the area, otherwise a page in the area with its menu. */
export default async function AdminForbidden() {
  const [{ ctx }, t] = await Promise.all([pageContext(), getTranslations('shell.noAccess')])
  if (!ctx.user || !isOpenTo({ area: 'any' }, ctx.user.methods)) return <NoAccessPage />
  return (
    <div className="grid justify-items-start gap-6">
      <PageHeader title={t('title')} text={t('text')} />
      <NoAccessActions />
    </div>
  )
}
