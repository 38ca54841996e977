import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listOrganizations } from '@/lib/companies/organizations/contract'

export default defineScreen({
  name: 'PlatformOrganizations',
  area: 'organizations',
  menu: 'people',
  place: 30,
  icon: 'Building',
  palette: { finds: finds(listOrganizations, 'organizations'), create: 'organizations.create' },
})
