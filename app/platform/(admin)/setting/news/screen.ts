import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listNews } from '@/lib/profile/news/contract'

export default defineScreen({
  name: 'PlatformNews',
  area: 'news',
  menu: 'people',
  place: 60,
  icon: 'Newspaper',
  palette: { finds: finds(listNews, 'news'), create: 'news.create' },
})
