import { ScreenPage } from '@/components/shell/screen-page'
import { holdsMethod } from '@/lib/base/context/access'
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
  const [{ schemas }, { flows }] = await Promise.all([listAuthenticationSchemas(ctx), listSchemaFlows(ctx)])
  return (
    <ScreenPage
      name="PlatformAuthenticationSchemas"
      texts="authentication-schemas"
      action={mayWrite ? <CreateSchema /> : null}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 @min-[62rem]:grid-cols-[minmax(0,1fr)_20rem]">
        <Schemas schemas={schemas} flows={flows} locale={ctx.locale} mayWrite={mayWrite} />
        <Preview />
      </div>
    </ScreenPage>
  )
}
