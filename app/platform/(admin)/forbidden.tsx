import { getTranslations } from 'next-intl/server'
import { PageHeader } from '@/components/ui/page-header'
import { pageContext } from '@/lib/context/page'
import { isOpenTo } from '@/lib/kernel/navigation/screens'
import { NoAccessActions } from '../_ui/no-access'
import { NoAccessPage } from '../_ui/no-access-page'

/** 403: the whole page for whoever may see nothing here; else within the area, whose menu shows what they may. */
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
