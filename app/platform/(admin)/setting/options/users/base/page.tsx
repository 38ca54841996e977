import { holdsMethod } from '@/lib/base/context/access'
import { readUsersSettings } from '@/lib/operations/settings-screen/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { SettingsPage } from '../../_ui/settings-page'
import { FieldTypes } from './_ui/field-types'

export const generateMetadata = () => screenTitle('UsersSettingsBase')

/** The settings of users, by module, and the links to their fields. */
export default async function UsersSettingsBasePage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/setting/options/users/base')
  const settings = await readUsersSettings(ctx)
  return (
    <SettingsPage ctx={ctx} user={user} scope="users" lead="leadUsers" settings={settings}>
      {holdsMethod(user, 'dynamic-fields.read') ? <FieldTypes /> : null}
    </SettingsPage>
  )
}
