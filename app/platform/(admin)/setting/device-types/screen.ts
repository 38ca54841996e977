import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listDeviceTypes } from '@/lib/site/device-types/contract'

export default defineScreen({
  name: 'PlatformDeviceTypes',
  area: 'device-types',
  menu: 'access',
  place: 10,
  icon: 'Smartphone',
  palette: { finds: finds(listDeviceTypes, 'devicesTypes'), create: 'device-types.create' },
})
