import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({
  name: 'PlatformDiagnostics',
  area: 'diagnostics',
  menu: 'observation',
  place: 40,
  icon: 'Stethoscope',
})
