import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listApplications } from '@/lib/platform/applications/contract'

export default defineScreen({
  name: 'PlatformApplications',
  area: 'applications',
  menu: 'access',
  place: 1,
  icon: 'LayoutGrid',
  family: 'applications',
  palette: { finds: finds(listApplications, 'applications'), create: 'applications.create' },
})
