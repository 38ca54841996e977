import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformMonitoring',
  area: 'monitoring',
  menu: 'observation',
  place: 30,
  icon: 'Activity',
})
