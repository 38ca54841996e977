import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listNetworkAliases } from '@/lib/platform/network-aliases/contract'

export default defineScreen({
  name: 'PlatformNetworkAliases',
  area: 'network-aliases',
  menu: 'access',
  place: 20,
  icon: 'Share2',
  family: 'lists',
  palette: { finds: finds(listNetworkAliases, 'networks'), create: 'network-aliases.create' },
})
