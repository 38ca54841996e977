import { forbidden } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { PageHeader } from '@/components/ui/page-header'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenTitle } from '@/lib/context/title'
import { listUserImports } from '@/lib/entry/user-import/service'
import { holdsMethod } from '@/lib/kernel/access'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import { newUserFields } from '@/lib/people/user-administration/fields'
import { Wizard } from './_ui/wizard'

export const generateMetadata = () => screenTitle('PlatformUserImport')

/** Brings accounts over from a file, step by step. Who may only look at accounts has nothing to do here. */
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
