import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'PlatformSystem',
  area: 'license',
  menu: 'observation',
  place: 50,
  icon: 'KeyRound',
})
