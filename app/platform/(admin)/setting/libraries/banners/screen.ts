import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listBanners } from '@/lib/site/banners/contract'

export default defineScreen({
  name: 'PlatformLibrariesBanners',
  area: 'libraries',
  menu: 'libraries',
  place: 20,
  icon: 'Megaphone',
  family: 'libraries',
  palette: { finds: finds(listBanners, 'banners'), create: 'banners.create' },
})
