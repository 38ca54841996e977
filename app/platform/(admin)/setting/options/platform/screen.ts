import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'PlatformSettings', area: 'settings', clickable: false })
