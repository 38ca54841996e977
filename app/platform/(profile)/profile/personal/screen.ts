import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'UserProfileMain', menu: 'account', place: 10, icon: 'IdCard', bar: 5 })
