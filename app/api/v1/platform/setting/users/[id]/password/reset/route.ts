import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/passwords/contract'
import * as verbs from '@/lib/entry/passwords/reset'

export const POST = route(calls.resetUserPassword, verbs.resetUserPassword)
