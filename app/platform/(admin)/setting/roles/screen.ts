import { listRoles } from '@/lib/access/roles/contract'
import { defineScreen, finds } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformRoles',
  area: 'roles',
  menu: 'people',
  place: 20,
  icon: 'ShieldCheck',
  palette: { finds: finds(listRoles, 'roles'), create: 'roles.create' },
})
