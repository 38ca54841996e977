import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'Platform', area: 'any', menu: 'overview', place: 10, icon: 'House' })
