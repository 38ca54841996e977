import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'PlatformSettingsPage', area: 'settings', clickable: false })
