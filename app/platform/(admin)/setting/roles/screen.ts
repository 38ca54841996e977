import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listRoles } from '@/lib/people/roles/contract'

export default defineScreen({
  name: 'PlatformRoles',
  area: 'roles',
  menu: 'people',
  place: 20,
  icon: 'ShieldCheck',
  palette: { finds: finds(listRoles, 'roles'), create: 'roles.create' },
})
