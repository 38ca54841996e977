import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'PlatformSettings', area: 'settings', clickable: false })
