import { oidcClients } from '@/db/schema'

export default {
  table: oidcClients,
  unrecorded: { secrets: 'recorded as secret: set, unset or another' },
}
