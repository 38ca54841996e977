import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformApplicationsSessions',
  area: 'applications',
  menu: 'access',
  place: 3,
  icon: 'MonitorCheck',
  family: 'applications',
})
