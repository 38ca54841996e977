import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'UserProfileInvitationsRequests', menu: 'work', place: 20, icon: 'MailPlus' })
