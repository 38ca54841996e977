// Made by npm run generate.
import type { PaletteRow } from './screens'

/** What the search over the platform finds in the areas, and which forms it opens. */
export const paletteRows: readonly PaletteRow[] = [
  { name: 'PlatformDeviceTypes', path: '/platform/setting/device-types', area: 'device-types', finds: {'path':'/setting/devices-types','rows':'devicesTypes'}, create: 'device-types.create' },
  { name: 'PlatformNetworkAliases', path: '/platform/setting/network-aliases', area: 'network-aliases', finds: {'path':'/setting/network-aliases','rows':'networks'}, create: 'network-aliases.create' },
]
