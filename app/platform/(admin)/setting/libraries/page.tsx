import { redirect } from 'next/navigation'
import { screenNamed } from '@/lib/base/navigation/screens'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'

/** Leads to the documents. */
export default async function LibrariesPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/libraries')
  redirect(screenNamed('PlatformLibrariesDocuments').path)
}
