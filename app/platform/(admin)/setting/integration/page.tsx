import { redirect } from 'next/navigation'
import { screenNamed } from '@/lib/base/navigation/screens'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'

/** Leads to the journal. */
export default async function IntegrationPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/integration')
  redirect(screenNamed('PlatformIntegrationMonitoring').path)
}
