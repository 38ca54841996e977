import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'UsersSettingsFields', area: 'dynamic-fields' })
