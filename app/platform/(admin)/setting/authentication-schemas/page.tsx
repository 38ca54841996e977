import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { PageHeader } from '@/components/ui/page-header'
import { holdsMethod } from '@/lib/base/context/access'
import { pickMessages } from '@/lib/base/i18n/messages'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { listAuthenticationSchemas, listSchemaFlows } from '@/lib/sign-in/schema-administration/service'
import { Preview } from './_ui/preview'
import { CreateSchema } from './_ui/schema-parts'
import { Schemas } from './_ui/schemas'

export const generateMetadata = () => screenTitle('PlatformAuthenticationSchemas')

/** The schemas by which people sign in, in their order, and their effect for a person. */
export default async function AuthenticationSchemasPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/setting/authentication-schemas')
  const mayWrite = holdsMethod(user, 'authentication-schemas.write')
  const [tScreen, t, messages, { schemas }, { flows }] = await Promise.all([
    getTranslations('shell.screens'),
    getTranslations('authentication-schemas'),
    getMessages(),
    listAuthenticationSchemas(ctx),
    listSchemaFlows(ctx),
  ])
  return (
    <PageMessages messages={pickMessages(messages, ['authentication-schemas'])}>
      <div className="grid gap-5">
        <PageHeader
          title={tScreen('PlatformAuthenticationSchemas')}
          text={t('lead')}
          action={mayWrite ? <CreateSchema /> : null}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 @min-[62rem]:grid-cols-[minmax(0,1fr)_20rem]">
          <Schemas schemas={schemas} flows={flows} locale={ctx.locale} mayWrite={mayWrite} />
          <Preview />
        </div>
      </div>
    </PageMessages>
  )
}
