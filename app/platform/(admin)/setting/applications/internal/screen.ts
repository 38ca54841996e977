import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformApplicationsInternal',
  area: 'applications',
  menu: 'access',
  place: 2,
  icon: 'Blocks',
  family: 'applications',
})
