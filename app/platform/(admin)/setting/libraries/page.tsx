import { redirect } from 'next/navigation'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenNamed } from '@/lib/kernel/navigation/screens'

/** Leads to the documents. */
export default async function LibrariesPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/libraries')
  redirect(screenNamed('PlatformLibrariesDocuments').path)
}
