import { route } from '@/lib/context/route'
import * as verbs from '@/lib/entry/user-accounts/service'
import * as calls from '@/lib/people/user-administration/contract'

export const POST = route(calls.sendEntryLink, verbs.sendEntryLink)
