import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'UserProfileCompanies', menu: 'account', place: 12, icon: 'Building' })
