import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'PlatformRole', area: 'roles' })
