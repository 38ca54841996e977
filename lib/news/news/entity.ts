import { choice, defineEntity, records, reference, text } from '@/lib/base/audit/entity'
import type { NewsText } from './contract'
import { audiences, newsStatuses } from './kinds'

export const newsEntity = defineEntity(
  'news',
  {
    status: choice('news.status', newsStatuses, 'news.statuses'),
    audience: choice('news.audience', audiences, 'news.audiences'),
    role: reference('news.audiences.role', 'roles'),
    contractor: reference('news.audiences.contractor', 'contractors'),
    organization: reference('news.audiences.organization', 'organizations'),
    domain: reference('news.audiences.domain', 'domains'),
    locales: records<NewsText>('news.texts', 'localeId', {
      localeId: reference('news.texts', 'locales'),
      title: text('news.title'),
      text: text('news.text'),
    }),
  },
  { area: 'news' },
)
