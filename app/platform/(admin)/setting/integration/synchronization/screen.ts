import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformIntegrationSynchronization',
  area: 'integration',
  menu: 'integration',
  place: 20,
  icon: 'ArrowLeftRight',
  family: 'integration',
})
