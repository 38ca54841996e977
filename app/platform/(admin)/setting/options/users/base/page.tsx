import { screenTitle } from '@/lib/context/title'
import { readUsersSettings } from '@/lib/people/settings/service'
import { SettingsPage } from '../../_ui/settings-page'

export const generateMetadata = () => screenTitle('UsersSettingsBase')

/** The settings of users, by module. */
export default function UsersSettingsBasePage() {
  return <SettingsPage name="UsersSettingsBase" scope="users" lead="leadUsers" read={readUsersSettings} />
}
