import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'UserProfile', menu: 'home', place: 20, icon: 'UserRound', bar: 1 })
