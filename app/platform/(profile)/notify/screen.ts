import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'Notify',
  menu: 'account',
  place: 40,
  icon: 'Bell',
})
