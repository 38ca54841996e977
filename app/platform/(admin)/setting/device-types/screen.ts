import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'PlatformDeviceTypes',
  area: 'device-types',
  menu: 'access',
  place: 10,
  icon: 'Smartphone',
})
