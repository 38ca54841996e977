import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { localName } from '@/lib/base/i18n/local-name'
import { pageContext, pageView } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { titleOf } from './_ui/title'
import { View } from './_ui/view'

export async function generateMetadata(): Promise<Metadata> {
  const view = await pageView()
  if (!view) notFound()
  const { ctx } = await pageContext()
  return pageTitle(titleOf(view, await getTranslations(), (names) => localName(names, ctx.locale)))
}

/**
 * A page of the OpenID Provider. The server process requests it, whatever address of the OpenID Provider the person
 * opened.
 */
export default async function ProviderPage() {
  const view = await pageView()
  if (!view) notFound()
  return <View view={view} />
}
