import { listUsers } from '@/lib/accounts/administration/contract'
import { defineScreen, finds } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformUsers',
  area: 'users',
  menu: 'people',
  place: 10,
  icon: 'Users',
  palette: { finds: finds(listUsers, 'users'), create: 'users.create' },
})
