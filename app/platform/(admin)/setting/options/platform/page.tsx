import { redirect } from 'next/navigation'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenNamed } from '@/lib/kernel/navigation/screens'

/** Leads to the settings themselves. */
export default async function PlatformSettingsPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/options/platform')
  redirect(screenNamed('PlatformSettingsBase').path)
}
