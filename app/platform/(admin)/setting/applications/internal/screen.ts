import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'PlatformApplicationsInternal',
  area: 'applications',
  menu: 'access',
  place: 2,
  icon: 'Blocks',
  family: 'applications',
})
