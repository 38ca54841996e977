import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listNews } from '@/lib/news/news/contract'

export default defineScreen({
  name: 'PlatformNews',
  area: 'news',
  menu: 'people',
  place: 60,
  icon: 'Newspaper',
  palette: { finds: finds(listNews, 'news'), create: 'news.create' },
})
