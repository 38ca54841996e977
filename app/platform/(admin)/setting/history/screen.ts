import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'PlatformHistory',
  area: 'history',
  menu: 'observation',
  place: 10,
  icon: 'FileClock',
})
