import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listLocales } from '@/lib/platform/locales/contract'

export default defineScreen({
  name: 'PlatformLibrariesLocales',
  area: 'libraries',
  menu: 'libraries',
  place: 30,
  icon: 'Languages',
  family: 'libraries',
  palette: { finds: finds(listLocales, 'locales'), create: 'locales.create' },
})
