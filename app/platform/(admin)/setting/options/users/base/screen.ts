import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'UsersSettingsBase',
  area: 'settings',
  menu: 'settings',
  place: 20,
  icon: 'UserCog',
  family: 'settings',
})
