import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'UserProfileApplications', menu: 'account', place: 30, icon: 'KeyRound' })
