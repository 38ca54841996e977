import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listDynamicFields } from '@/lib/fields/dynamic-fields/contract'

export default defineScreen({
  name: 'PlatformFields',
  area: 'dynamic-fields',
  menu: 'settings',
  place: 50,
  icon: 'TextCursorInput',
  clickable: false,
  palette: { finds: finds(listDynamicFields, 'fields'), create: 'dynamic-fields.create' },
})
