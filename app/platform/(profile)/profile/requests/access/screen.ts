import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'UserProfileAccessRequests', menu: 'work', place: 10, icon: 'Inbox' })
