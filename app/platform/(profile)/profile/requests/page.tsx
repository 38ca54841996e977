import { redirect } from 'next/navigation'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenNamed } from '@/lib/kernel/navigation/screens'

/** Leads to the access requests. */
export default async function RequestsPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/profile/requests')
  redirect(screenNamed('UserProfileAccessRequests').path)
}
