import type { Messages } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { Alert } from '@/components/ui/alert'
import { PageHeader } from '@/components/ui/page-header'
import { holdsMethod } from '@/lib/base/context/access'
import { pickMessages } from '@/lib/base/i18n/messages'
import { seesWholeConfiguration } from '@/lib/operations/configuration-file/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { Export } from './_ui/export'
import { Import } from './_ui/import'

export const generateMetadata = () => screenTitle('PlatformConfiguration')

/** Files with the errors of every screen whose rules an import follows. */
const ruled = [
  ...([
    'administration',
    'access-lists',
    'whitelist',
    'blacklist',
    'network-aliases',
    'device-types',
    'locales',
  ] as const),
  ...([
    'locale-texts',
    'message-texts',
    'documents',
    'banners',
    'domains',
    'applications',
    'clients',
    'webhooks',
    'roles',
  ] as const),
  ...(['authentication-schemas', 'dynamic-fields', 'providers', 'provider-mappers', 'provider-sync'] as const),
  ...(['settings', 'notify-methods', 'integration'] as const),
]

/** The texts of the page, and only the errors of the other files. */
function pageTexts(messages: Messages) {
  const { errors } = pickMessages(messages, [...ruled, 'configuration'])
  return Object.assign(pickMessages(messages, ['configuration']), { errors })
}

/** The settings of administrators as a file: export it, and compare and apply it. */
export default async function ConfigurationPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/configuration')
  const [t, screens, messages] = await Promise.all([
    getTranslations('configuration'),
    getTranslations('shell.screens'),
    getMessages(),
  ])
  const mayWrite = holdsMethod(ctx, 'settings.write')
  return (
    <PageMessages messages={pageTexts(messages)}>
      <div className="grid max-w-[60rem] grid-cols-[minmax(0,1fr)] gap-7">
        <PageHeader title={screens('PlatformConfiguration')} text={t('lead')} />
        {seesWholeConfiguration(ctx) ? null : <Alert tone="info">{t('partly')}</Alert>}
        <Export mayWrite={mayWrite} />
        {mayWrite ? <Import /> : <Alert tone="info">{t('readOnly')}</Alert>}
      </div>
    </PageMessages>
  )
}
