import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listBanners } from '@/lib/platform/banners/contract'

export default defineScreen({
  name: 'PlatformLibrariesBanners',
  area: 'libraries',
  menu: 'libraries',
  place: 20,
  icon: 'Megaphone',
  family: 'libraries',
  palette: { finds: finds(listBanners, 'banners'), create: 'banners.create' },
})
