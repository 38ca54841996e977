import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'PlatformBlacklist',
  area: 'access-lists',
  menu: 'access',
  place: 22,
  icon: 'ShieldX',
  family: 'lists',
  palette: { create: 'blacklist.create' },
})
