import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformSettingsBase',
  area: 'settings',
  menu: 'settings',
  place: 10,
  icon: 'Settings',
  family: 'settings',
})
