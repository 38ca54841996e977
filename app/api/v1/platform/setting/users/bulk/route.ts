import { route } from '@/lib/context/route'
import * as verbs from '@/lib/entry/user-accounts/bulk'
import * as calls from '@/lib/people/user-administration/contract'

export const POST = route(calls.bulkUsers, verbs.bulkUsers)
