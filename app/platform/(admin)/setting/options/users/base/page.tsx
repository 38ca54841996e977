import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { screenTitle } from '@/lib/context/title'
import { readUsersSettings } from '@/lib/people/settings/service'
import { SettingsPage } from '../../_ui/settings-page'

export const generateMetadata = () => screenTitle('UsersSettingsBase')

/** The settings of users, by module. */
export default async function UsersSettingsBasePage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/setting/options/users/base')
  const settings = await readUsersSettings(ctx)
  return <SettingsPage ctx={ctx} user={user} scope="users" lead="leadUsers" settings={settings} />
}
