import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'switchService', menu: 'home', place: 10, icon: 'LayoutGrid', bar: 4 })
