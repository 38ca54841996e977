import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/access-lists/contract'
import * as verbs from '@/lib/platform/access-lists/entries'

export const GET = route(calls.listBlacklist, verbs.listBlacklist)
export const POST = route(calls.createBlacklistEntry, verbs.createBlacklistEntry)
