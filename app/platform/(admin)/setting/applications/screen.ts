import { listApplications } from '@/lib/applications/applications/contract'
import { defineScreen, finds } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformApplications',
  area: 'applications',
  menu: 'access',
  place: 1,
  icon: 'LayoutGrid',
  family: 'applications',
  palette: { finds: finds(listApplications, 'applications'), create: 'applications.create' },
})
