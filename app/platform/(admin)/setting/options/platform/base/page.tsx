import { readPlatformSettings } from '@/lib/operations/settings-screen/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { SettingsPage } from '../../_ui/settings-page'

export const generateMetadata = () => screenTitle('PlatformSettingsBase')

/** The settings of the platform, by module. */
export default async function PlatformSettingsBasePage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/setting/options/platform/base')
  const settings = await readPlatformSettings(ctx)
  return <SettingsPage ctx={ctx} user={user} scope="platform" lead="lead" settings={settings} />
}
