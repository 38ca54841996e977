import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'UserProfileSessions',
  menu: 'account',
  place: 20,
  icon: 'MonitorSmartphone',
})
