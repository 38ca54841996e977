import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'PlatformApplicationWebhook', area: 'applications' })
