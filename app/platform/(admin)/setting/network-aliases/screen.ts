import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listNetworkAliases } from '@/lib/network/network-aliases/contract'

export default defineScreen({
  name: 'PlatformNetworkAliases',
  area: 'network-aliases',
  menu: 'access',
  place: 20,
  icon: 'Share2',
  family: 'lists',
  palette: { finds: finds(listNetworkAliases, 'networks'), create: 'network-aliases.create' },
})
