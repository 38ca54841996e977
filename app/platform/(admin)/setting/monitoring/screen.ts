import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'PlatformMonitoring',
  area: 'monitoring',
  menu: 'observation',
  place: 30,
  icon: 'Activity',
})
