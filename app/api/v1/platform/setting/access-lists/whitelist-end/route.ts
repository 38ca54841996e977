import { route } from '@/lib/context/route'
import * as verbs from '@/lib/platform/access-lists/check-address'
import * as calls from '@/lib/platform/access-lists/contract'

export const GET = route(calls.readWhitelistEnd, verbs.readWhitelistEnd)
