import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'UserProfileCompanies', menu: 'account', place: 12, icon: 'Building' })
