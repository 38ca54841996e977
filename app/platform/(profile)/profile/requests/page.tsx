import { redirect } from 'next/navigation'
import { screenNamed } from '@/lib/base/navigation/screens'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'

/** Redirects to the access requests. */
export default async function RequestsPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/profile/requests')
  redirect(screenNamed('UserProfileAccessRequests').path)
}
