import { defineScreen, finds } from '@/lib/base/navigation/screen'
import { listDocuments } from '@/lib/documents/documents/contract'

export default defineScreen({
  name: 'PlatformLibrariesDocuments',
  area: 'libraries',
  menu: 'libraries',
  place: 10,
  icon: 'LibraryBig',
  family: 'libraries',
  palette: { finds: finds(listDocuments, 'documents'), create: 'documents.create' },
})
