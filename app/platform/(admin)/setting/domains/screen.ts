import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listDomains } from '@/lib/platform/domains/contract'

export default defineScreen({
  name: 'PlatformDomains',
  area: 'domains',
  menu: 'access',
  place: 3,
  icon: 'Globe',
  palette: { finds: finds(listDomains, 'domains'), create: 'domains.create' },
})
