import { getTranslations } from 'next-intl/server'
import { FailurePage } from '@/components/shell/failure-page'
import { NoAccessActions } from './platform/_ui/no-access'

/** 403 as a whole page: NoAccess, and the administration area for somebody who may see none of it. */
export default async function Forbidden() {
  const t = await getTranslations('shell.noAccess')
  return (
    <FailurePage title={t('title')} text={t('text')}>
      <NoAccessActions />
    </FailurePage>
  )
}
