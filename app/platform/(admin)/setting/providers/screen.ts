import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listProviders } from '@/lib/directory-sync/providers/contract'

export default defineScreen({
  name: 'PlatformProviders',
  area: 'providers',
  menu: 'access',
  place: 7,
  icon: 'CloudDownload',
  palette: { finds: finds(listProviders, 'providers'), create: 'providers.create' },
})
