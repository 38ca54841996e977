import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'UserProfileMain', menu: 'account', place: 10, icon: 'IdCard', bar: 5 })
