import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'UserProfileAccessRequests', menu: 'work', place: 10, icon: 'Inbox' })
