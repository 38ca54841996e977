import { route } from '@/lib/context/route'
import * as accounts from '@/lib/entry/user-accounts/service'
import * as calls from '@/lib/people/user-administration/contract'
import * as verbs from '@/lib/people/user-administration/service'

export const GET = route(calls.listUsers, verbs.listUsers)
export const POST = route(calls.createUser, accounts.createUser)
