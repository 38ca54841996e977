import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'PlatformApplicationsMain', area: 'applications' })
