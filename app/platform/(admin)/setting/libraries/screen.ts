import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'PlatformLibraries', area: 'libraries', clickable: false })
