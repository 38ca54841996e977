import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformSystem',
  area: 'license',
  menu: 'observation',
  place: 50,
  icon: 'KeyRound',
})
