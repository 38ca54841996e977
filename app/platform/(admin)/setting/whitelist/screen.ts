import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformWhitelist',
  area: 'access-lists',
  menu: 'access',
  place: 21,
  icon: 'ShieldCheck',
  family: 'lists',
  palette: { create: 'whitelist.create' },
})
