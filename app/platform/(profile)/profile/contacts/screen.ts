import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'UserProfileContacts', menu: 'account', place: 14, icon: 'Users' })
