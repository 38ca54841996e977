import { redirect } from 'next/navigation'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenNamed } from '@/lib/kernel/navigation/screens'

/** Leads to the journal. */
export default async function IntegrationPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/integration')
  redirect(screenNamed('PlatformIntegrationMonitoring').path)
}
