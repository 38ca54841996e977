import { route } from '@/lib/context/route'
import * as verbs from '@/lib/entry/passwords/reset'
import * as calls from '@/lib/people/user-administration/contract'

export const POST = route(calls.resetUserPassword, verbs.resetUserPassword)
