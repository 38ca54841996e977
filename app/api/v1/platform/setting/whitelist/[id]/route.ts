import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/access-lists/contract'
import * as verbs from '@/lib/platform/access-lists/entries'

export const PUT = route(calls.updateWhitelistEntry, verbs.updateWhitelistEntry)
export const DELETE = route(calls.deleteWhitelistEntry, verbs.deleteWhitelistEntry)
