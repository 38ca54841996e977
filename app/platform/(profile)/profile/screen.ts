import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'UserProfile', menu: 'home', place: 20, icon: 'UserRound', bar: 1 })
