import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformLibrariesMessages',
  area: 'libraries',
  menu: 'libraries',
  place: 40,
  icon: 'MessageSquareText',
  family: 'libraries',
})
