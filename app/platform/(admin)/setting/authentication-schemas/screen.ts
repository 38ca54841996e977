import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformAuthenticationSchemas',
  area: 'authentication-schemas',
  menu: 'access',
  place: 5,
  icon: 'ListOrdered',
  palette: { create: 'authentication-schemas.create' },
})
