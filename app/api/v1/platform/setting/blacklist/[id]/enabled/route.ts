import { route } from '@/lib/context/route'
import { enableBlacklistEntry } from '@/lib/platform/access-lists/contract'
import { enableInBlacklist } from '@/lib/platform/access-lists/entries'

export const PUT = route(enableBlacklistEntry, enableInBlacklist)
