import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listDeviceTypes } from '@/lib/platform/device-types/contract'

export default defineScreen({
  name: 'PlatformDeviceTypes',
  area: 'device-types',
  menu: 'access',
  place: 10,
  icon: 'Smartphone',
  palette: { finds: finds(listDeviceTypes, 'devicesTypes'), create: 'device-types.create' },
})
