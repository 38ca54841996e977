import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'UsersSettingsFieldsSubtypes', area: 'dynamic-fields' })
