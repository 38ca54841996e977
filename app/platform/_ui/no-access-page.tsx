import { getTranslations } from 'next-intl/server'
import { FailurePage } from '@/components/shell/failure-page'
import { NoAccessActions } from './no-access'

/** 403 as a whole page. */
export async function NoAccessPage() {
  const t = await getTranslations('shell.noAccess')
  return (
    <FailurePage title={t('title')} text={t('text')}>
      <NoAccessActions />
    </FailurePage>
  )
}
