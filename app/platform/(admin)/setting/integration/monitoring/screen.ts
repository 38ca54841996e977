import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformIntegrationMonitoring',
  area: 'integration',
  menu: 'integration',
  place: 10,
  icon: 'ScrollText',
  family: 'integration',
})
