import { oidcConsents } from '@/db/schema'

export default {
  table: oidcConsents,
  unrecorded: {
    userId: 'the changer: people consent for themselves',
    clientId: 'recorded as client, by its own id',
  },
}
