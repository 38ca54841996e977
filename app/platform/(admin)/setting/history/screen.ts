import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformHistory',
  area: 'history',
  menu: 'observation',
  place: 10,
  icon: 'FileClock',
})
