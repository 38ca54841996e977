import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformSignIns',
  area: 'users',
  menu: 'observation',
  place: 20,
  icon: 'LogIn',
})
