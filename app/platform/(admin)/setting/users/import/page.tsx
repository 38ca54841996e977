import { forbidden } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { PageHeader } from '@/components/ui/page-header'
import { listUserImports } from '@/lib/account-administration/user-import/service'
import { newUserFields } from '@/lib/accounts/user-table/fields'
import { holdsMethod } from '@/lib/base/context/access'
import { pickMessages } from '@/lib/base/i18n/messages'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { Wizard } from './_ui/wizard'

export const generateMetadata = () => screenTitle('PlatformUserImport')

/** Imports accounts from a file, step by step. The page is only for people who may change accounts. */
export default async function UserImportPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/users/import')
  if (!holdsMethod(ctx, 'users.write')) forbidden()
  const [t, messages, { runs }, fields] = await Promise.all([
    getTranslations('user-import'),
    getMessages(),
    listUserImports(ctx),
    newUserFields(ctx),
  ])
  return (
    <PageMessages messages={pickMessages(messages, ['user-import', 'runs', 'users', 'administration'])}>
      <div className="grid gap-7">
        <PageHeader title={t('title')} text={t('lead')} />
        <Wizard runs={runs} fields={fields} />
      </div>
    </PageMessages>
  )
}
