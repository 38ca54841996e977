import { redirect } from 'next/navigation'
import { screenNamed } from '@/lib/base/navigation/screens'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'

/** Redirects to the list, which is the first tab. */
export default async function MainApplicationsPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/applications/main')
  redirect(screenNamed('PlatformApplications').path)
}
