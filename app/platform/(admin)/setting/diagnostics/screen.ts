import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({
  name: 'PlatformDiagnostics',
  area: 'diagnostics',
  menu: 'observation',
  place: 40,
  icon: 'Stethoscope',
})
