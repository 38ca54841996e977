import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'PlatformAuthenticationSchemas',
  area: 'authentication-schemas',
  menu: 'access',
  place: 5,
  icon: 'ListOrdered',
  palette: { create: 'authentication-schemas.create' },
})
