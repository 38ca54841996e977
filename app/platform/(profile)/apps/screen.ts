import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'switchService', menu: 'home', place: 10, icon: 'LayoutGrid', bar: 4 })
