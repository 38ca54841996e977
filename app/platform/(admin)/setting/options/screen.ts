import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'PlatformSettingsPage', area: 'settings', clickable: false })
