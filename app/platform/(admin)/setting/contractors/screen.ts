import { defineScreen, finds } from '@/lib/kernel/navigation/screen'
import { listContractors } from '@/lib/people/contractors/contract'

export default defineScreen({
  name: 'PlatformContractors',
  area: 'contractors',
  menu: 'people',
  place: 40,
  icon: 'Handshake',
  palette: { finds: finds(listContractors, 'contractors'), create: 'contractors.create' },
})
