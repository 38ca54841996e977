import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformConfiguration',
  area: 'settings',
  menu: 'settings',
  place: 40,
  icon: 'FileCog',
  family: 'settings',
})
