import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'UserProfileContacts', menu: 'account', place: 14, icon: 'Users' })
