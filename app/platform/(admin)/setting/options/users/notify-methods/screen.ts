import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'UsersSettingsNotify',
  area: 'settings',
  menu: 'settings',
  place: 30,
  icon: 'BellRing',
  family: 'settings',
})
