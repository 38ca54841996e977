import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listDomains } from '@/lib/site/domains/contract'

export default defineScreen({
  name: 'PlatformDomains',
  area: 'domains',
  menu: 'access',
  place: 3,
  icon: 'Globe',
  palette: { finds: finds(listDomains, 'domains'), create: 'domains.create' },
})
