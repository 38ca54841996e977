import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listLocales } from '@/lib/site/locales/contract'

export default defineScreen({
  name: 'PlatformLibrariesLocales',
  area: 'libraries',
  menu: 'libraries',
  place: 30,
  icon: 'Languages',
  family: 'libraries',
  palette: { finds: finds(listLocales, 'locales'), create: 'locales.create' },
})
