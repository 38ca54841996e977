import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'UserProfileSubscribes',
  menu: 'account',
  place: 45,
  icon: 'MailCheck',
})
