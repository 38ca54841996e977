import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'UserProfileSubscribes',
  menu: 'account',
  place: 45,
  icon: 'MailCheck',
})
