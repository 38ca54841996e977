import { route } from '@/lib/context/route'
import * as accounts from '@/lib/entry/user-accounts/service'
import * as calls from '@/lib/people/user-administration/contract'
import * as verbs from '@/lib/people/user-administration/service'

export const GET = route(calls.readUser, verbs.readUser)
export const PUT = route(calls.updateUser, accounts.updateUser)
export const DELETE = route(calls.deleteUser, accounts.deleteUser)
