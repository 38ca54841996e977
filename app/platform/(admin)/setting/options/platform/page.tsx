import { redirect } from 'next/navigation'
import { screenNamed } from '@/lib/base/navigation/screens'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'

/** Redirects to the settings themselves. */
export default async function PlatformSettingsPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/options/platform')
  redirect(screenNamed('PlatformSettingsBase').path)
}
