import { defineEntity, text, yesNo } from '@/lib/base/audit/entity'

export const bannerEntity = defineEntity(
  'banners',
  {
    visible: yesNo('banners.visible'),
    title: text('banners.title'),
    code: text('banners.code'),
    text: text('banners.text'),
    link: text('banners.link'),
  },
  { area: 'libraries' },
)
