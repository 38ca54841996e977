import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'UserProfileApplications', menu: 'account', place: 30, icon: 'KeyRound' })
