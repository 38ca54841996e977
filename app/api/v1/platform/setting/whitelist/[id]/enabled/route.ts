import { route } from '@/lib/context/route'
import { enableWhitelistEntry } from '@/lib/platform/access-lists/contract'
import { enableInWhitelist } from '@/lib/platform/access-lists/entries'

export const PUT = route(enableWhitelistEntry, enableInWhitelist)
