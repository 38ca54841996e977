import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { pageContext, pageView } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'
import { localName } from '@/lib/kernel/i18n/local-name'
import { sealView } from '@/lib/oidc/provider/redraw'
import { titleOf } from './_ui/title'
import { View } from './_ui/view'

export async function generateMetadata(): Promise<Metadata> {
  const view = await pageView()
  if (!view) notFound()
  const { ctx } = await pageContext()
  return pageTitle(titleOf(view, await getTranslations(), (names) => localName(names, ctx.locale)))
}

/**
 * A page of the OpenID Provider. The server process requests it, whatever address of the provider the person opened.
 */
export default async function ProviderPage() {
  const view = await pageView()
  if (!view) notFound()
  return (
    <div data-view={sealView(view)}>
      <View view={view} />
    </div>
  )
}
