import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listUsers } from '@/lib/people/user-administration/contract'

export default defineScreen({
  name: 'PlatformUsers',
  area: 'users',
  menu: 'people',
  place: 10,
  icon: 'Users',
  palette: { finds: finds(listUsers, 'users'), create: 'users.create' },
})
