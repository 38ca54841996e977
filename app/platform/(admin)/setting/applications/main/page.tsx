import { redirect } from 'next/navigation'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenNamed } from '@/lib/kernel/navigation/screens'

/** Leads to the list, which is the first tab. */
export default async function MainApplicationsPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/applications/main')
  redirect(screenNamed('PlatformApplications').path)
}
