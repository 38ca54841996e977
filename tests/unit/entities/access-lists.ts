import { accessListEntries } from '@/db/schema'

export default {
  table: accessListEntries,
  unrecorded: { aliasId: 'recorded as alias, by its name in the call' },
}
