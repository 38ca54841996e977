import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/access-lists/contract'
import * as verbs from '@/lib/platform/access-lists/entries'

export const PUT = route(calls.updateBlacklistEntry, verbs.updateBlacklistEntry)
export const DELETE = route(calls.deleteBlacklistEntry, verbs.deleteBlacklistEntry)
