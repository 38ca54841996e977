import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listContractors } from '@/lib/companies/contractors/contract'

export default defineScreen({
  name: 'PlatformContractors',
  area: 'contractors',
  menu: 'people',
  place: 40,
  icon: 'Handshake',
  palette: { finds: finds(listContractors, 'contractors'), create: 'contractors.create' },
})
