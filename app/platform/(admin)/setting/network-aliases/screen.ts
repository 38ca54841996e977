import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'PlatformNetworkAliases',
  area: 'network-aliases',
  menu: 'access',
  place: 20,
  icon: 'Share2',
  family: 'lists',
})
