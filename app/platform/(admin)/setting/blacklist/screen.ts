import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformBlacklist',
  area: 'access-lists',
  menu: 'access',
  place: 22,
  icon: 'ShieldX',
  family: 'lists',
  palette: { create: 'blacklist.create' },
})
